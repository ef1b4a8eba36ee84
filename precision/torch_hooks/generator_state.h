// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Generator.h>

#include <cstdint>
#include <optional>
#include <variant>

namespace ampprof::torch_hooks {

/// Saves the state of a random generator (CPU or device) at construction.
class GeneratorState {
 public:
  /// The generator must be defined.
  explicit GeneratorState(at::Generator generator);

  /// Returns whether the state has changed since construction.
  bool moved() const;

  /// Restores the state if it changed. An unchanged generator is not written, since another thread may be drawing from
  /// it.
  void restore() const;

 private:
  /// State of a CPU generator: Mersenne Twister, and the second of two normal samples drawn at once.
  struct OnCpu {
    at::mt19937 engine;
    std::optional<float> next_float;
    std::optional<double> next_double;
  };
  using Place = std::variant<OnCpu, std::uint64_t>;  ///< state; for a device: the offset in its random sequence

  static Place now(at::Generator generator);
  static bool same(const Place& a, const Place& b);

  at::Generator generator_;
  Place then_;
};

}  // namespace ampprof::torch_hooks

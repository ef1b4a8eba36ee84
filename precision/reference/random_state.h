// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Generator.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace ampprof::reference {

/// Where the random generators that a call may draw from stood when this was made: the CPU's default, that of the
/// device of a tensor among the arguments, and those that are arguments themselves.
class RandomState {
 public:
  explicit RandomState(c10::ArrayRef<c10::IValue> arguments);

  /// True if a generator stands elsewhere now.
  bool moved() const;

  /// Puts the generators back where they moved. One that did not move is not touched, since another thread may be
  /// drawing from it.
  void restore() const;

 private:
  struct Cpu {
    at::Generator generator;
    at::mt19937 engine;
    std::optional<float> next_float;
    std::optional<double> next_double;
  };
  struct Device {
    at::Generator generator;
    std::uint64_t offset;
  };

  void remember(at::Generator generator);
  static Cpu now(const at::Generator& generator);
  static bool same(const Cpu& a, const Cpu& b);

  std::vector<Cpu> cpu_;
  std::vector<Device> device_;
};

}  // namespace ampprof::reference

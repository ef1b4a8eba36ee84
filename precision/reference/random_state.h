// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Generator.h>

#include <cstdint>
#include <optional>

namespace ampprof {

/// Remembers the default random generators when it is made: the CPU's, and a device's where one is named.
class RandomState {
 public:
  explicit RandomState(std::optional<at::Device> device);

  /// Puts the generators back if they moved, and says whether they did. A generator that did not move is not touched,
  /// since another thread may be drawing from it.
  [[nodiscard]] bool restore();

 private:
  bool restore_cpu();
  bool restore_device();

  at::mt19937 engine_;
  std::optional<float> next_float_;
  std::optional<double> next_double_;
  at::Generator device_;  // undefined without a device
  std::uint64_t device_offset_ = 0;
};

}  // namespace ampprof

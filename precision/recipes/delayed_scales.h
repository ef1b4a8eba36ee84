// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace amp::recipes {

/// Stores the largest magnitudes of operands in earlier calls, for delayed scales. A key (`place`) identifies the
/// operand at its call site. The tensors stay on the operand's device. Thread-safe.
class DelayedScales {
 public:
  /// Returns the largest magnitude in the last `history` calls with this key: FP32, one element on the device of `now`;
  /// undefined at the first call. Then stores `now`, the magnitude in this call.
  at::Tensor exchange(const std::string& place, const at::Tensor& now, int history);

  void forget();

 private:
  struct History {
    at::Tensor values;  ///< ring buffer; zero for calls that have not happened
    std::int64_t calls = 0;
  };

  std::mutex mutex_;
  std::map<std::string, History> histories_;
};

/// Returns the histories of the process.
DelayedScales& delayed_scales();

}  // namespace amp::recipes

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace amp::recipes {

/// Stores the largest magnitudes of operands in earlier calls, by place of use, for delayed scales. They stay in memory
/// of the operand's device. Thread-safe.
class DelayedScales {
 public:
  /// Returns the largest magnitude of the last `history` calls at this place: FP32, one element on the device of `now`;
  /// undefined at the first call. Then stores `now`, the magnitude of this call.
  at::Tensor exchange(const std::string& place, const at::Tensor& now, int history);

  void forget();

 private:
  struct History {
    at::Tensor values;  ///< a ring, zero for calls to come
    std::int64_t calls = 0;
  };

  std::mutex mutex_;
  std::map<std::string, History> histories_;
};

/// Returns the histories of the process.
DelayedScales& delayed_scales();

}  // namespace amp::recipes

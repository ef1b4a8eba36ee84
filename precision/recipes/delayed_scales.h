// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace amp::recipes {

/// The largest magnitudes of operands in earlier calls, by where they are used, for delayed scales. They stay in the
/// memory of the operand's device. Thread-safe.
class DelayedScales {
 public:
  /// Returns the largest magnitude of the last `history` calls at this place, FP32, one element on the device of `now`;
  /// undefined at its first call. Then remembers `now`, that of this call.
  at::Tensor exchange(const std::string& place, const at::Tensor& now, int history);

  void forget();

 private:
  struct History {
    at::Tensor values;  ///< a ring, zero where nothing was seen yet
    std::int64_t calls = 0;
  };

  std::mutex mutex_;
  std::map<std::string, History> histories_;
};

/// Returns the histories of the process.
DelayedScales& delayed_scales();

}  // namespace amp::recipes

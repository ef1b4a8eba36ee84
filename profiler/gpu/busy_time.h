// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "reports/records/device_time.h"
#include "reports/records/gpu_activity.h"

namespace ampprof::profiler {

/// How long GPUs were busy: each device's time in which it did anything, added up over devices. Activity that comes
/// later than kSettled behind newer activity of its device counts only from where counting had come to.
class BusyTime {
 public:
  static constexpr std::int64_t kSettled = 8'000'000'000;  ///< ns

  void add(const std::vector<GpuActivity>& activities);
  /// Returns the time so far, with what is not settled yet.
  std::int64_t total_ns() const;

 private:
  struct Device {
    std::vector<GpuActivity> recent;
    std::int64_t counted_to = 0;
    std::int64_t busy_ns = 0;  ///< before counted_to
  };

  std::map<std::int32_t, Device> devices_;
};

}  // namespace ampprof::profiler

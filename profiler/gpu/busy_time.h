// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "reports/records/device_time.h"
#include "reports/records/gpu_activity.h"

namespace ampprof::profiler {

/// Sums how long GPUs were busy. Time in which several activities of one device overlap counts once. If an
/// activity arrives more than kSettled later than newer ones of its device, its time before `counted_to` is not
/// counted.
class BusyTime {
 public:
  static constexpr std::int64_t kSettled = 8'000'000'000;  ///< ns by which an activity may arrive late

  void add(const std::vector<GpuActivity>& activities);
  /// Returns the time so far, unsettled time included.
  std::int64_t total_ns() const;

 private:
  struct Device {
    std::vector<GpuActivity> recent;
    std::int64_t counted_to = 0;
    std::int64_t busy_ns = 0;  ///< time before counted_to
  };

  std::map<std::int32_t, Device> devices_;
};

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/busy_time.h"

#include <algorithm>
#include <limits>
#include <set>

#include "reports/records/saturating_add.h"

namespace ampprof::profiler {
namespace {

std::int64_t busy_between(const std::vector<GpuActivity>& activities, std::int32_t device, std::int64_t from_ns,
                          std::int64_t to_ns) {
  return busy_ns(busy_spans(activities, device), {from_ns, to_ns});
}

}  // namespace

void BusyTime::add(const std::vector<GpuActivity>& activities) {
  std::set<std::int32_t> grown;
  for (const GpuActivity& activity : activities) {
    const auto [device, is_new] = devices_.try_emplace(activity.device);
    if (is_new) device->second.counted_to = activity.start_ns;
    if (device->second.busy_ns == 0) device->second.counted_to = std::min(device->second.counted_to, activity.start_ns);
    device->second.recent.push_back(activity);
    grown.insert(activity.device);
  }
  for (const std::int32_t id : grown) {
    Device& device = devices_.at(id);
    std::int64_t newest = std::numeric_limits<std::int64_t>::min();
    for (const GpuActivity& activity : device.recent) newest = std::max(newest, span_of(activity).to_ns);
    const std::int64_t settled = newest - kSettled;
    if (settled <= device.counted_to + kSettled) continue;  // counts only every kSettled ns of GPU time, to save time
    saturating_add(device.busy_ns, busy_between(device.recent, id, device.counted_to, settled));
    std::erase_if(device.recent, [&](const GpuActivity& activity) { return span_of(activity).to_ns <= settled; });
    device.counted_to = settled;
  }
}

std::int64_t BusyTime::total_ns() const {
  std::int64_t total = 0;
  for (const auto& [id, device] : devices_) {
    saturating_add(total, device.busy_ns);
    saturating_add(total, busy_between(device.recent, id, device.counted_to, std::numeric_limits<std::int64_t>::max()));
  }
  return total;
}

}  // namespace ampprof::profiler

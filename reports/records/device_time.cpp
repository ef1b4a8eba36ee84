// SPDX-License-Identifier: Apache-2.0
#include "reports/records/device_time.h"

#include <algorithm>

#include "reports/records/saturating_add.h"

namespace ampprof {
namespace {

std::vector<TimeSpan> spans_in_order(std::span<const GpuActivity> activities, std::int32_t device) {
  std::vector<TimeSpan> spans;
  for (const GpuActivity& each : activities) {
    if (each.device == device) spans.push_back(span_of(each));
  }
  std::ranges::sort(spans, {}, &TimeSpan::from_ns);
  return spans;
}

}  // namespace

std::vector<TimeSpan> busy_spans(std::span<const GpuActivity> activities, std::int32_t device) {
  std::vector<TimeSpan> busy;
  for (const TimeSpan& span : spans_in_order(activities, device)) {
    if (!busy.empty() && span.from_ns <= busy.back().to_ns) {
      busy.back().to_ns = std::max(busy.back().to_ns, span.to_ns);
    } else {
      busy.push_back(span);
    }
  }
  return busy;
}

std::int64_t busy_ns(std::span<const TimeSpan> busy, const TimeSpan& within) {
  std::int64_t total = 0;
  auto span = std::ranges::partition_point(busy, [&](const TimeSpan& each) { return each.to_ns <= within.from_ns; });
  for (; span != busy.end() && span->from_ns < within.to_ns; ++span) {
    const TimeSpan both{std::max(span->from_ns, within.from_ns), std::min(span->to_ns, within.to_ns)};
    saturating_add(total, both.duration_ns());
  }
  return total;
}

std::optional<TimeSpan> IdleGaps::before(const GpuActivity& activity) {
  const TimeSpan span = span_of(activity);
  const auto [device, is_first] = busy_until_.try_emplace(activity.device, span.to_ns);
  if (is_first) return std::nullopt;
  const TimeSpan idle{device->second, span.from_ns};
  device->second = std::max(device->second, span.to_ns);
  if (idle.from_ns >= idle.to_ns) return std::nullopt;
  return idle;
}

}  // namespace ampprof

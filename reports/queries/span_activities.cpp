// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/span_activities.h"

#include <algorithm>
#include <tuple>

#include "reports/queries/chunk_heads.h"
#include "reports/store/sqlite.h"

namespace ampprof::queries {

std::optional<std::vector<SpanActivity>> span_activities(const Report& report, std::int64_t run, const TimeSpan& span,
                                                         std::int64_t most_activities) {
  const store::Snapshot snapshot(report);
  std::vector<SpanActivity> activities;
  const auto add = [&](const GpuActivity& activity, const SiteInStep& place) {
    activities.push_back({activity, place});
  };
  if (!each_in_span<ActivityReader>(report, run, span, most_activities, add)) return std::nullopt;
  std::ranges::stable_sort(activities, {}, [](const SpanActivity& entry) {
    return std::tuple(entry.activity.device, entry.activity.stream, entry.activity.start_ns);
  });
  return activities;
}

void each_activity(const Report& report, std::int64_t run, const std::function<void(const SpanActivity&)>& show) {
  const store::Snapshot snapshot(report);
  ActivityReader chunks(report, run);
  each_head(report, run, kAnyTime, TrackKind::Streams, [&](const ChunkHead& head, store::Statement&) {
    chunks.each(head, [&](const GpuActivity& activity, const SiteInStep& place) { show({activity, place}); });
  });
}

}  // namespace ampprof::queries

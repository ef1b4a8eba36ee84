// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "reports/queries/chunk_heads.h"
#include "reports/queries/rows.h"

namespace ampprof {
std::optional<std::vector<SpanActivity>> span_activities(Database& database, std::int64_t run, const TimeSpan& span,
                                                         std::int64_t most_activities) {
  const auto heads = few_heads(database, run, span, TrackKind::Streams, most_activities);
  if (!heads) return std::nullopt;
  std::vector<SpanActivity> activities;
  ActivityReader chunks(database, run);
  for (const ChunkHead& head : *heads) {
    chunks.each(head, [&](const GpuActivity& activity, const SiteInStep& place) {
      if (overlap(span_of(activity), span)) activities.push_back({activity, place});
    });
  }
  std::ranges::stable_sort(activities, {}, [](const SpanActivity& entry) {
    return std::tuple(entry.activity.device, entry.activity.stream, entry.activity.start_ns);
  });
  return activities;
}

void each_span_activity(Database& database, std::int64_t run, const std::function<void(const SpanActivity&)>& show) {
  ActivityReader chunks(database, run);
  each_head(database, run, kAnyTime, TrackKind::Streams, [&](const ChunkHead& head, Statement&) {
    chunks.each(head, [&](const GpuActivity& activity, const SiteInStep& place) { show({activity, place}); });
  });
}

}  // namespace ampprof

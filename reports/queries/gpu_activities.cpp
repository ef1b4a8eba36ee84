// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/gpu_activities.h"

#include <algorithm>
#include <tuple>

#include "reports/queries/chunk_heads.h"
#include "reports/queries/lookups.h"
#include "reports/store/totals.h"

namespace ampprof::queries {

namespace {

void add_activities_of(const Report& report, const RunName& run, const StepFilter& steps,
                       std::vector<GpuActivityRow>& rows) {
  const auto [totals, places] = totals_of(report, run.id, steps);
  const CallSites sites = call_sites_of(report, run.id);
  const auto texts = activity_names_of(report, run.id);
  const CallSiteNames names(sites, places);
  for (const auto& [place, total] : totals) {
    for (const GpuActivityTotal& activity : total.activities) {
      GpuActivityRow& row = rows.emplace_back();
      row.use = gpu_activity_use(activity, texts);
      put_place(row, run, place, sites, names);
      if (!row.phase) row.call_site.clear();  // launched outside of any op call
    }
  }
}

}  // namespace

std::vector<GpuActivityRow> gpu_activities(const Report& report, RunFilter run, const StepFilter& steps) {
  return rows_of_runs<GpuActivityRow>(report, run, add_activities_of, steps);
}

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

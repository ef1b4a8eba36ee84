// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/gaps.h"

#include <algorithm>
#include <map>
#include <queue>

#include "reports/queries/chunk_heads.h"
#include "reports/queries/lookups.h"
#include "reports/queries/segments.h"
#include "reports/queries/span_activities.h"
#include "reports/records/device_time.h"
#include "reports/records/saturating_add.h"

namespace ampprof::queries {

namespace {

struct StartsLater {
  bool operator()(const SpanActivity& a, const SpanActivity& b) const {
    return a.activity.start_ns > b.activity.start_ns;
  }
};

/// Calls `show` for all activities of a run in the order of their start. Chunks overlap in time only at their ends, so
/// few activities are in memory at once.
template <class Show>
void each_in_order(const Report& report, std::int64_t run, Show show) {
  std::vector<ChunkHead> heads;
  each_head(report, run, kAnyTime, TrackKind::Streams,
            [&](const ChunkHead& head, store::Statement&) { heads.push_back(head); });
  std::ranges::stable_sort(heads, {}, [](const ChunkHead& head) { return head.span.from_ns; });
  std::priority_queue<SpanActivity, std::vector<SpanActivity>, StartsLater> waiting;
  ActivityReader chunks(report, run);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    chunks.each(heads[i], [&](const GpuActivity& activity, const SiteInStep& place) {
      waiting.push({activity, place});
    });
    const bool is_last = i + 1 == heads.size();
    while (!waiting.empty() && (is_last || waiting.top().activity.start_ns < heads[i + 1].span.from_ns)) {
      show(waiting.top());
      waiting.pop();
    }
  }
}

/// The idle gaps before activities that one call site launched.
struct PlaceGaps {
  std::int64_t count = 0;
  std::int64_t idle_ns = 0;
  std::int64_t unlaunched_ns = 0;
  bool knows_launches = true;
  std::int64_t longest_ns = 0;
  std::int64_t longest_segment = 0;

  void add(const TimeSpan& gap, const GpuActivity& next) {
    ++count;
    saturating_add(idle_ns, gap.duration_ns());
    knows_launches = knows_launches && next.launched_ns != 0;
    const TimeSpan unlaunched{gap.from_ns, std::clamp(next.launched_ns, gap.from_ns, gap.to_ns)};
    saturating_add(unlaunched_ns, unlaunched.duration_ns());
    if (gap.duration_ns() <= longest_ns) return;
    longest_ns = gap.duration_ns();
    longest_segment = next.segment;
  }
};

std::map<SiteInStep, PlaceGaps> gaps_of(const Report& report, std::int64_t run) {
  std::map<SiteInStep, PlaceGaps> gaps;
  IdleGaps finder;
  each_in_order(report, run, [&](const SpanActivity& entry) {
    if (const auto gap = finder.before(entry.activity)) gaps[entry.place].add(*gap, entry.activity);
  });
  return gaps;
}

double us_of(std::int64_t ns) { return static_cast<double>(ns) / 1e3; }

void add_gaps_of(const Report& report, const RunName& run, std::vector<GapRow>& rows) {
  const auto gaps = gaps_of(report, run.id);
  if (gaps.empty()) return;
  const CallSites sites = call_sites_of(report, run.id);
  const CallSiteNames names(sites, places_of(report, run.id));
  std::map<std::int64_t, std::int64_t> steps;
  for (const Segment& segment : queries::segments(report, run.id)) steps[segment.id] = segment.step;
  for (const auto& [place, of_place] : gaps) {
    GapRow& row = rows.emplace_back();
    row.gaps = of_place.count;
    row.idle_us = us_of(of_place.idle_ns);
    if (of_place.knows_launches) row.unlaunched_us = us_of(of_place.unlaunched_ns);
    row.longest_us = us_of(of_place.longest_ns);
    row.longest_step = steps[of_place.longest_segment];
    put_place(row, run, place, sites, names);
    if (!row.phase) row.call_site.clear();  // launched outside of any op call
  }
}

}  // namespace

std::vector<GapRow> gaps(const Report& report, RunFilter run) { return rows_of_runs<GapRow>(report, run, add_gaps_of); }

}  // namespace ampprof::queries

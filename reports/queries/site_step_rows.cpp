// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <unordered_map>

#include "reports/queries/rows.h"
#include "reports/store/totals.h"

namespace ampprof {

std::vector<SiteStepRow> site_step_rows(Database& database, std::int64_t run, const SiteInStep& place) {
  std::unordered_map<std::int64_t, std::int64_t> steps;  // of the segments at this position
  for (const Segment& segment : segment_rows(database, run)) {
    if (segment.position == place.second) steps.emplace(segment.id, segment.step);
  }
  std::map<std::int64_t, OpTotal> totals;
  each_call_of(
      database, run, [&](std::int64_t segment) { return steps.contains(segment); },
      [&](const OpCall& call) {
        if (call.call_site == place.first) totals[steps.at(call.segment)].add(call);
      });

  std::vector<SiteStepRow> rows;
  for (const auto& [step, unscaled] : totals) {
    const OpTotal total = unscaled.at_its_scale();
    rows.push_back({.step = step,
                    .calls = total.calls,
                    .nonfinite_calls = total.nonfinite_calls,
                    .scale = total.scale,
                    .local = total.local,
                    .inherited = total.inherited,
                    .ranges = total.ranges});
  }
  return rows;
}

}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/site_steps.h"

#include <map>
#include <unordered_map>

#include "reports/queries/segments.h"
#include "reports/records/op_total.h"
#include "reports/store/sqlite.h"
#include "reports/store/totals.h"

namespace ampprof::queries {

std::vector<SiteStepRow> steps_of(const Report& report, std::int64_t run, std::int64_t call_site_id,
                                  std::int32_t position) {
  const store::Snapshot snapshot(report);
  std::unordered_map<std::int64_t, std::int64_t> steps;  // segments at this position
  for (const Segment& segment : queries::segments(report, run)) {
    if (segment.position == position) steps.emplace(segment.id, segment.step);
  }
  std::map<std::int64_t, OpTotal> totals;
  store::each_call_of(
      report, run, [&](std::int64_t segment) { return steps.contains(segment); },
      [&](const OpCall& call) {
        if (call.call_site == call_site_id) totals[steps.at(call.segment)].add(call);
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

}  // namespace ampprof::queries

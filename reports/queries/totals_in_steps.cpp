// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include "reports/queries/rows.h"
#include "reports/store/totals.h"

namespace ampprof {

OpTotals totals_in(Database& database, std::int64_t run, const StepSpan& steps) {
  std::unordered_map<std::int64_t, std::int32_t> positions;  // of the segments in these steps
  for (const Segment& segment : segment_rows(database, run)) {
    if (segment.step >= steps.first && segment.step <= steps.last) positions.emplace(segment.id, segment.position);
  }
  OpTotals totals;
  each_call_of(
      database, run, [&](std::int64_t segment) { return positions.contains(segment); },
      [&](const OpCall& call) {
        totals[{call.call_site, positions.at(call.segment)}].add(call);
      });
  return totals;
}

}  // namespace ampprof

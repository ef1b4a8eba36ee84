// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include "reports/queries/rows.h"
#include "reports/store/totals.h"

namespace ampprof {

namespace {

OpTotals totals_in(Database& database, std::int64_t run, const StepSpan& steps) {
  std::unordered_map<std::int64_t, std::int32_t> positions;  // of the segments in these steps
  for (const Segment& segment : segment_rows(database, run)) {
    if (segment.step >= steps.first && segment.step <= steps.last) positions.emplace(segment.id, segment.position);
  }
  OpTotals totals;
  const auto is_wanted = [&](std::int64_t segment) { return positions.contains(segment); };
  each_chunk_of(database, run, is_wanted, [&](const CallChunk& chunk) {
    const std::int32_t position = positions.at(chunk.segment);
    for (const OpCall& call : chunk.calls) totals[{call.call_site, position}].add(call);
    for (const CastRecord& cast : chunk.casts) totals[{cast.call_site, position}].add(cast);
    for (const GpuActivity& activity : chunk.activities) totals[{activity.call_site, position}].add(activity);
  });
  return totals;
}

}  // namespace

RunTotals totals_of(Database& database, std::int64_t run, const StepFilter& steps) {
  if (steps) return {totals_in(database, run, *steps), places_of(database, run)};
  OpTotals totals = read_totals(database, run);
  std::vector<SiteInStep> places = places_in(totals);
  return {std::move(totals), std::move(places)};
}

}  // namespace ampprof

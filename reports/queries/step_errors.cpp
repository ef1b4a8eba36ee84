// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/step_errors.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "reports/queries/segments.h"
#include "reports/records/merge_optional.h"
#include "reports/records/tracks.h"
#include "reports/store/sqlite.h"
#include "reports/store/totals.h"

namespace ampprof::queries {

std::vector<std::vector<StepError>> step_errors(const Report& report, std::int64_t run,
                                                const std::vector<SiteInStep>& places) {
  const store::Snapshot snapshot(report);
  std::unordered_map<std::int64_t, Segment> segments;  // at the positions of the places
  for (const Segment& segment : queries::segments(report, run)) {
    const auto is_here = [&](const SiteInStep& place) { return place.second == segment.position; };
    if (std::ranges::any_of(places, is_here)) segments.emplace(segment.id, segment);
  }
  std::map<SiteInStep, std::map<std::int64_t, StepError>> errors;
  for (const SiteInStep& place : places) errors[place];
  store::each_call_of(
      report, run, [&](std::int64_t segment) { return segments.contains(segment); },
      [&](const OpCall& call) {
        const Segment& segment = segments.at(call.segment);
        const auto wanted = errors.find({call.call_site, segment.position});
        if (wanted == errors.end()) return;
        StepError& error = wanted->second[segment.step];
        error.step = segment.step;
        if (precision_class_of(call) == PrecisionClass::NonFinite) ++error.nonfinite_calls;
        merge_optional(error.local, call.local);
      });

  std::vector<std::vector<StepError>> rows;
  for (const SiteInStep& place : places) {
    std::vector<StepError>& of_place = rows.emplace_back();
    for (const auto& [step, error] : errors.at(place)) of_place.push_back(error);
  }
  return rows;
}

}  // namespace ampprof::queries

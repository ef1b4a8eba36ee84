// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/lookups.h"

#include <unordered_map>

#include "reports/queries/segments.h"
#include "reports/store/report_error.h"
#include "reports/store/tables.h"
#include "reports/store/totals.h"

namespace ampprof::queries {

namespace {

template <class Declared>
std::unordered_map<std::int64_t, std::string> texts_of(const Report& report, const Declared& table, std::int64_t run) {
  std::unordered_map<std::int64_t, std::string> texts;
  for (InternedText& text : store::records_of(report, table, run)) texts[text.id] = std::move(text.text);
  return texts;
}

}  // namespace

std::string is_of_run(std::string_view column) {
  return std::string(column) + " BETWEEN coalesce(?1, -9223372036854775807 - 1) AND coalesce(?1, 9223372036854775807) ";
}

std::vector<SiteInStep> places_in(const OpTotals& totals) {
  std::vector<SiteInStep> places;
  for (const auto& [place, total] : totals) {
    if (total.calls > 0) places.push_back(place);
  }
  return places;
}

std::vector<SiteInStep> places_of(const Report& report, std::int64_t run) {
  return places_in(store::read_counts(report, run));
}

std::unordered_map<std::int64_t, std::string> signatures_of(const Report& report, std::int64_t run) {
  return texts_of(report, store::kSignature, run);
}

std::unordered_map<std::int64_t, std::string> activity_names_of(const Report& report, std::int64_t run) {
  return texts_of(report, store::kGpuActivityName, run);
}

std::unordered_map<std::int64_t, std::string> range_names_of(const Report& report, std::int64_t run) {
  return texts_of(report, store::kNvtxRangeName, run);
}

CallSites call_sites_of(const Report& report, std::int64_t run) {
  CallSites sites;
  for (CallSite& site : store::records_of(report, store::kCallSite, run)) sites.emplace(site.id, std::move(site));
  return sites;
}

namespace {

OpTotals totals_in(const Report& report, std::int64_t run, const StepSpan& steps) {
  std::unordered_map<std::int64_t, std::int32_t> positions;  // segments in these steps
  for (const Segment& segment : queries::segments(report, run)) {
    if (segment.step >= steps.first && segment.step <= steps.last) positions.emplace(segment.id, segment.position);
  }
  OpTotals totals;
  const auto is_wanted = [&](std::int64_t segment) { return positions.contains(segment); };
  store::each_chunk_of(report, run, is_wanted, [&](const store::CallChunk& chunk) {
    const std::int32_t position = positions.at(chunk.segment);
    for (const OpCall& call : chunk.calls) totals[{call.call_site, position}].add(call);
    for (const CastRecord& cast : chunk.casts) totals[{cast.call_site, position}].add(cast);
    for (const GpuActivity& activity : chunk.activities) totals[{activity.call_site, position}].add(activity);
  });
  return totals;
}

}  // namespace

RunTotals totals_of(const Report& report, std::int64_t run, const StepFilter& steps) {
  if (steps) return {totals_in(report, run, *steps), places_of(report, run)};
  OpTotals totals = store::read_totals(report, run);
  std::vector<SiteInStep> places = places_in(totals);
  return {std::move(totals), std::move(places)};
}

}  // namespace ampprof::queries

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "reports/queries/call_site_names.h"
#include "reports/queries/queries.h"
#include "reports/store/sqlite.h"

/// One function per view. Each is named in Report and has its own file.
namespace ampprof {

using RunFilter = std::optional<std::int64_t>;
using StepFilter = std::optional<StepSpan>;  ///< all steps where it is empty

std::vector<RunRow> run_rows(Database& database);
std::vector<OpRow> op_rows(Database& database, RunFilter run, const StepFilter& steps = {});
std::vector<SiteStepRow> site_step_rows(Database& database, std::int64_t run, const SiteInStep& place);
std::vector<EventRow> event_rows(Database& database, RunFilter run);
std::vector<MissingRow> missing_rows(Database& database, RunFilter run);
std::vector<ImpactRow> impact_rows(Database& database, RunFilter run);
std::vector<CastRow> cast_rows(Database& database, RunFilter run, const StepFilter& steps = {});
std::vector<GpuActivityRow> gpu_activity_rows(Database& database, RunFilter run, const StepFilter& steps = {});
std::vector<GapRow> gap_rows(Database& database, RunFilter run);
std::vector<UpdateRow> update_rows(Database& database, RunFilter run);
std::vector<ScaleRow> scale_rows(Database& database, RunFilter run);
std::vector<LossRow> loss_rows(Database& database, RunFilter run);
std::vector<ProbeTimeRow> probe_time_rows(Database& database, RunFilter run);
std::vector<ProbeAlgorithmRow> probe_algorithm_rows(Database& database, RunFilter run);
std::vector<StepValue> loss_by_step_rows(Database& database, std::int64_t run);
std::vector<Segment> segment_rows(Database& database, std::int64_t run);
std::optional<TimeSpan> span_of_calls(Database& database, std::int64_t run);
TrackSummary track_summary(Database& database, std::int64_t run, const TimeSpan& span, int bins, TrackKind kind);
std::optional<std::vector<SpanActivity>> span_activities(Database& database, std::int64_t run, const TimeSpan& span,
                                                         std::int64_t most_activities);
void each_span_activity(Database& database, std::int64_t run, const std::function<void(const SpanActivity&)>& show);
SpanRanges span_ranges(Database& database, std::int64_t run, const TimeSpan& span, std::int64_t most);
std::map<std::int32_t, std::int32_t> range_depths(Database& database, std::int64_t run);
std::optional<std::vector<SpanCall>> span_calls(Database& database, std::int64_t run, const TimeSpan& span,
                                                std::int64_t most_calls);
SpanTotals span_totals(Database& database, std::int64_t run, const TimeSpan& span, std::int64_t most_calls);
std::optional<SpanCall> next_call(Database& database, std::int64_t run, const SiteInStep& place, std::int64_t from_ns,
                                  std::int64_t most_calls);
CallTexts call_texts(Database& database, std::int64_t run);
void each_timed_call(Database& database, std::int64_t run, const std::function<void(const TimedCall&)>& show);

/// Id and level of a run.
struct RunName {
  std::int64_t id = 0;
  std::string level;
};

/// The runs that a filter lets through, by id.
std::vector<RunName> runs_named(Database& database, RunFilter run);

/// Sets what rows of call sites have in common; of an unknown call site the name is "?", and the rest stays as it is.
template <class Row>
void put_place(Row& row, const RunName& run, const SiteInStep& place, const CallSites& sites,
               const CallSiteNames& names) {
  row.run = run.id;
  row.level = run.level;
  row.call_site_id = place.first;
  row.position = place.second;
  row.call_site = names.name(place);
  const auto site = sites.find(place.first);
  if (site == sites.end()) return;
  row.phase = site->second.phase;
  row.module = site->second.module;
  row.op = site->second.op;
}

/// Texts of interned signatures, by id.
std::unordered_map<std::int64_t, std::string> signatures_of(Database& database, std::int64_t run);

/// Names of kernels, memcpys and memsets, by id.
std::unordered_map<std::int64_t, std::string> activity_names_of(Database& database, std::int64_t run);
std::unordered_map<std::int64_t, std::string> range_names_of(Database& database, std::int64_t run);

GpuActivityUse gpu_activity_use(const GpuActivityTotal& total,
                                const std::unordered_map<std::int64_t, std::string>& names);

CallSites call_sites_of(Database& database, std::int64_t run);

/// What op calls come to, and casts, and what a GPU did for them.
struct RunTotals {
  OpTotals totals;
  std::vector<SiteInStep> places;  ///< of the whole run, so that a call site has one name in any of its steps
};

/// Of a run's op calls in these steps.
RunTotals totals_of(Database& database, std::int64_t run, const StepFilter& steps);

/// The places of totals.
std::vector<SiteInStep> places_in(const OpTotals& totals);

/// Every place in the step that a run called an op from, in any order.
std::vector<SiteInStep> places_of(Database& database, std::int64_t run);

}  // namespace ampprof

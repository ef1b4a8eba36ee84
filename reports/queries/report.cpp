// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/open.h"
#include "reports/queries/queries.h"
#include "reports/queries/rows.h"
#include "reports/store/report_error.h"
#include "reports/store/tables.h"
#include "reports/store/totals.h"

namespace ampprof {
namespace {

template <class Declared>
std::unordered_map<std::int64_t, std::string> texts_of(Database& database, const Declared& table, std::int64_t run) {
  Statement rows(database, store::select_from(table) + "WHERE run = ?");
  rows.put(run);
  std::unordered_map<std::int64_t, std::string> texts;
  while (rows.next()) {
    InternedText text = store::take(rows, table);
    texts[text.id] = std::move(text.text);
  }
  return texts;
}

}  // namespace

std::vector<RunName> runs_named(Database& database, RunFilter run) {
  Statement rows(database, "SELECT id, level FROM run WHERE ?1 IS NULL OR id = ?1 ORDER BY id");
  rows.put(run);
  std::vector<RunName> runs;
  while (rows.next()) runs.push_back({.id = rows.integer(), .level = rows.text()});
  return runs;
}

std::vector<SiteInStep> places_in(const OpTotals& totals) {
  std::vector<SiteInStep> places;
  for (const auto& [place, total] : totals) {
    if (total.calls > 0) places.push_back(place);
  }
  return places;
}

std::vector<SiteInStep> places_of(Database& database, std::int64_t run) {
  return places_in(read_counts(database, run));
}

std::unordered_map<std::int64_t, std::string> signatures_of(Database& database, std::int64_t run) {
  return texts_of(database, store::kSignature, run);
}

std::unordered_map<std::int64_t, std::string> activity_names_of(Database& database, std::int64_t run) {
  return texts_of(database, store::kGpuActivityName, run);
}

std::unordered_map<std::int64_t, std::string> range_names_of(Database& database, std::int64_t run) {
  return texts_of(database, store::kNvtxRangeName, run);
}

CallSites call_sites_of(Database& database, std::int64_t run) {
  Statement rows(database, store::select_from(store::kCallSite) + "WHERE run = ?");
  rows.put(run);
  CallSites sites;
  while (rows.next()) {
    CallSite site = store::take(rows, store::kCallSite);
    sites.emplace(site.id, std::move(site));
  }
  return sites;
}

std::vector<MissingRow> missing_rows(Database& database, RunFilter run) {
  Statement rows(database, "SELECT m.run, r.level, " + store::columns_of(store::kMissing, "m.") +
                               " FROM missing m JOIN run r ON r.id = m.run WHERE ?1 IS NULL OR m.run = ?1 "
                               "ORDER BY m.run, m.count DESC, m.what, m.cause");
  rows.put(run);
  std::vector<MissingRow> missing;
  while (rows.next()) {
    MissingRow& row = missing.emplace_back(MissingRow{.run = rows.integer(), .level = rows.text(), .missing = {}});
    row.missing = store::take(rows, store::kMissing);
  }
  return missing;
}

struct Report::State : OpenReport {
  using OpenReport::OpenReport;
};

Report::Report(const std::filesystem::path& path, const OpenProgress& progress)
    : state_(std::make_unique<State>(path, Reads::Views, can_write_in, progress)) {}
Report::~Report() = default;
Report::Report(Report&&) noexcept = default;

// Each view is of one moment, although a run may go on.
std::vector<RunRow> Report::runs() const {
  const Snapshot snapshot(*state_->database);
  return run_rows(*state_->database);
}

std::vector<OpRow> Report::ops(std::optional<std::int64_t> run) const {
  const Snapshot snapshot(*state_->database);
  return op_rows(*state_->database, run);
}

std::vector<EventRow> Report::events(std::optional<std::int64_t> run) const {
  const Snapshot snapshot(*state_->database);
  return event_rows(*state_->database, run);
}

std::vector<MissingRow> Report::missing(std::optional<std::int64_t> run) const {
  return missing_rows(*state_->database, run);
}

std::vector<ImpactRow> Report::impacts(std::optional<std::int64_t> run) const {
  const Snapshot snapshot(*state_->database);
  return impact_rows(*state_->database, run);
}

std::vector<GpuActivityRow> Report::gpu_activities(std::optional<std::int64_t> run) const {
  const Snapshot snapshot(*state_->database);
  return gpu_activity_rows(*state_->database, run);
}

std::vector<GapRow> Report::gaps(std::optional<std::int64_t> run) const {
  const Snapshot snapshot(*state_->database);
  return gap_rows(*state_->database, run);
}

std::vector<CastRow> Report::casts(std::optional<std::int64_t> run) const {
  const Snapshot snapshot(*state_->database);
  return cast_rows(*state_->database, run);
}

std::vector<UpdateRow> Report::updates(std::optional<std::int64_t> run) const {
  const Snapshot snapshot(*state_->database);
  return update_rows(*state_->database, run);
}

std::vector<ScaleRow> Report::scales(std::optional<std::int64_t> run) const {
  return scale_rows(*state_->database, run);
}

std::vector<LossRow> Report::losses(std::optional<std::int64_t> run) const { return loss_rows(*state_->database, run); }

std::vector<ProbeTimeRow> Report::probe_times(std::optional<std::int64_t> run) const {
  return probe_time_rows(*state_->database, run);
}

std::vector<ProbeAlgorithmRow> Report::probe_algorithms(std::optional<std::int64_t> run) const {
  return probe_algorithm_rows(*state_->database, run);
}

std::vector<StepValue> Report::loss_by_step(std::int64_t run) const {
  return loss_by_step_rows(*state_->database, run);
}

std::vector<Segment> Report::segments(std::int64_t run) const { return segment_rows(*state_->database, run); }

void Report::each_call(std::int64_t run, const std::function<void(const TimedCall&)>& show) const {
  const Snapshot snapshot(*state_->database);
  each_timed_call(*state_->database, run, show);
}

std::vector<OpRow> Report::ops_in(const StepSpan& steps, std::optional<std::int64_t> run) const {
  const Snapshot snapshot(*state_->database);
  return op_rows(*state_->database, run, steps);
}

std::vector<CastRow> Report::casts_in(const StepSpan& steps, std::optional<std::int64_t> run) const {
  const Snapshot snapshot(*state_->database);
  return cast_rows(*state_->database, run, steps);
}

std::vector<GpuActivityRow> Report::gpu_activities_in(const StepSpan& steps, std::optional<std::int64_t> run) const {
  const Snapshot snapshot(*state_->database);
  return gpu_activity_rows(*state_->database, run, steps);
}

std::vector<SiteStepRow> Report::steps_of(std::int64_t run, std::int64_t call_site_id, std::int32_t position) const {
  const Snapshot snapshot(*state_->database);
  return site_step_rows(*state_->database, run, {call_site_id, position});
}

std::optional<TimeSpan> Report::span_of_calls(std::int64_t run) const {
  return ampprof::span_of_calls(*state_->database, run);
}

TrackSummary Report::track_summary(std::int64_t run, const TimeSpan& span, int bins, TrackKind kind) const {
  const Snapshot snapshot(*state_->database);
  return ampprof::track_summary(*state_->database, run, span, bins, kind);
}

std::optional<std::vector<SpanCall>> Report::span_calls(std::int64_t run, const TimeSpan& span,
                                                        std::int64_t most_calls) const {
  const Snapshot snapshot(*state_->database);
  return ampprof::span_calls(*state_->database, run, span, most_calls);
}

SpanTotals Report::span_totals(std::int64_t run, const TimeSpan& span, std::int64_t most_calls) const {
  const Snapshot snapshot(*state_->database);
  return ampprof::span_totals(*state_->database, run, span, most_calls);
}

std::optional<SpanCall> Report::next_call(std::int64_t run, const SiteInStep& place, std::int64_t from_ns,
                                          std::int64_t most_calls) const {
  const Snapshot snapshot(*state_->database);
  return ampprof::next_call(*state_->database, run, place, from_ns, most_calls);
}

void Report::each_activity(std::int64_t run, const std::function<void(const SpanActivity&)>& show) const {
  const Snapshot snapshot(*state_->database);
  each_span_activity(*state_->database, run, show);
}

std::optional<std::vector<SpanActivity>> Report::span_activities(std::int64_t run, const TimeSpan& span,
                                                                 std::int64_t most_activities) const {
  const Snapshot snapshot(*state_->database);
  return ampprof::span_activities(*state_->database, run, span, most_activities);
}

SpanRanges Report::span_ranges(std::int64_t run, const TimeSpan& span, std::int64_t most) const {
  const Snapshot snapshot(*state_->database);
  return ampprof::span_ranges(*state_->database, run, span, most);
}

std::map<std::int32_t, std::int32_t> Report::range_depths(std::int64_t run) const {
  const Snapshot snapshot(*state_->database);
  return ampprof::range_depths(*state_->database, run);
}

CallTexts Report::call_texts(std::int64_t run) const {
  const Snapshot snapshot(*state_->database);
  return ampprof::call_texts(*state_->database, run);
}

std::optional<std::int64_t> Report::last_step(std::int64_t run) const {
  // Segment ids ascend.
  Statement row(*state_->database, "SELECT step FROM segment WHERE run = ? AND step > 0 ORDER BY id DESC LIMIT 1");
  row.put(run);
  if (!row.next()) return std::nullopt;
  return row.integer();
}

}  // namespace ampprof

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/report_file.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "analysis/compare/pairing.h"
#include "analysis/diagnosis/advised_run.h"
#include "analysis/diagnosis/diagnose.h"
#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/highlights.h"
#include "analysis/ops/group.h"
#include "analysis/ops/targets.h"
#include "analysis/ranks/report_rows.h"
#include "analysis/ranks/representatives.h"
#include "gui/data/board.h"
#include "gui/data/compared_side.h"
#include "gui/data/diagnosis.h"
#include "gui/data/loss_curves.h"
#include "gui/data/overflow.h"
#include "gui/data/overview.h"
#include "gui/data/timeline.h"
#include "gui/data/view_request.h"
#include "precision/advice/evidence.h"
#include "reports/queries/losses.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/queries/scales.h"
#include "reports/queries/site_steps.h"
#include "reports/queries/sketches.h"
#include "reports/queries/spans.h"
#include "reports/text/numbers.h"
#include "views/all_views.h"
#include "views/diagnosis/advice.h"
#include "views/diagnosis/answer.h"
#include "views/diagnosis/findings.h"
#include "views/runs/run_choice.h"
#include "views/table/site_filter.h"
#include "views/table/view.h"
#include "views/view_source.h"

namespace ampprof::gui {
namespace {

std::vector<queries::RunRow> chosen(const std::vector<queries::RunRow>& runs, std::optional<std::int64_t> run) {
  std::vector<queries::RunRow> wanted;
  std::ranges::copy_if(runs, std::back_inserter(wanted),
                       [&](const queries::RunRow& row) { return !run || row.run == *run; });
  return wanted;
}

std::vector<std::vector<queries::StepValue>> lossesOf(const queries::Report& report,
                                                      const std::vector<queries::RunRow>& runs) {
  std::vector<std::vector<queries::StepValue>> losses;
  for (const queries::RunRow& run : runs) losses.push_back(queries::loss_by_step(report, run.run));
  return losses;
}

/// Returns the loss scale used in each step, for the first loss that has a loss scale.
std::vector<queries::StepValue> scalesOf(const std::vector<queries::ScaleRow>& rows) {
  std::vector<queries::StepValue> scales;
  for (const queries::ScaleRow& row : rows) {
    if (row.update.loss_id != rows.front().update.loss_id) continue;
    scales.push_back({row.step, row.update.scale_before});
  }
  return scales;
}

/// Returns the legend entry of a band: "O1: median of 1,024 ranks".
std::string nameOfBand(const analysis::RepresentedLaunch& launch) {
  const std::string ranks = "median of " + text::count(std::ssize(launch.ranks)) + " ranks";
  return launch.ranks.front().level.empty() ? ranks : views::name_of({launch.ranks.front()}) + ": " + ranks;
}

/// Sorts rows by the position of their call sites in the program, and groups by their first call site.
void put_in_program_order(views::View& view, views::ViewSource& source) {
  std::map<std::pair<views::Value, std::string>, std::size_t> places;
  for (const auto& group : analysis::grouped(source.ops(), source.grouping)) {
    places.emplace(std::pair(group.row.run, group.row.call_site), places.size());
  }
  std::ranges::stable_sort(view.records, {}, [&](const views::Record& record) {
    const auto found = places.find({views::value_at(view, record, "run"), views::text_at(view, record, "call_site")});
    return found == places.end() ? places.size() : found->second;
  });
}

}  // namespace

ReportFile::ReportFile(std::filesystem::path path, const queries::OpenProgress& progress)
    : path_(std::move(path)),
      report_(path_, progress),
      runs_(queries::runs(report_)),
      labels_(views::labels_of(runs_)) {}

ReportFile::~ReportFile() = default;

const std::string& ReportFile::label(const queries::RunRow& run) const {
  return labels_.at(static_cast<std::size_t>(std::ranges::find(runs_, run.run, &queries::RunRow::run) - runs_.begin()));
}

std::vector<DiagnosedFinding> ReportFile::diagnosis() const {
  const std::lock_guard lock(mutex_);
  const analysis::ReportRows rows = analysis::read_rows(report_, runs_, queries::ops(report_));
  const auto rules = analysis::all_diagnosis_rules();
  std::map<std::int64_t, std::vector<queries::StepValue>> losses;  // keys: ids of runs with a finding
  std::vector<DiagnosedFinding> diagnosed;
  for (analysis::Finding& finding : analysis::diagnose(rows)) {
    const auto rule = std::ranges::find(rules, finding.kind, &analysis::DiagnosisRule::id);
    const auto culprit = std::ranges::find_if(rows.ops, [&](const queries::OpRow& op) {
      return op.run == finding.runs.front() && op.call_site == finding.culprit.call_site;
    });
    const auto values = culprit == rows.ops.end() ? std::nullopt : culprit->exponents;
    const std::int64_t run = finding.runs.front();
    if (!losses.contains(run)) losses[run] = queries::loss_by_step(report_, run);
    std::string names = views::runs_of(finding, runs_);
    diagnosed.push_back({std::move(finding), std::string(rule->summary), values, losses[run], std::move(names)});
  }
  return diagnosed;
}

Overview ReportFile::overview() const {
  const std::lock_guard lock(mutex_);
  views::ViewSource source{report_, runs_, analysis::Targets(runs_)};
  const analysis::ReportRows rows = views::rows_of(source);
  Overview overview{.answer = views::answer(rows, source.targets),
                    .findings = analysis::diagnose(rows),
                    .shown = rows.shown(),
                    .runs = {},
                    .representatives = {},
                    .figures = views::run_metrics(rows, source.targets),
                    .missing = rows.missing};
  for (const queries::RunRow& run : rows.shown()) overview.runs.push_back(label(run));
  if (rows.representatives) {
    overview.representatives = std::make_shared<const analysis::Representatives>(*rows.representatives);
  }
  return overview;
}

LossCurves ReportFile::losses(const analysis::Representatives* representatives) const {
  const std::lock_guard lock(mutex_);
  LossCurves drawn;
  std::set<std::int64_t> in_band;  // runs that only a band shows, without a curve
  if (representatives) {
    for (const analysis::RepresentedLaunch& launch : representatives->launches) {
      drawn.bands.push_back(bandOf(lossesOf(report_, launch.ranks), nameOfBand(launch)));
      if (!std::ranges::binary_search(launch.standing_out, *launch.ranks.front().rank)) {
        in_band.insert(launch.ranks.front().run);
      }
    }
  }
  for (const queries::RunRow& run : representatives ? representatives->runs : runs_) {
    if (in_band.contains(run.run)) continue;
    drawn.curves.push_back({label(run), queries::loss_by_step(report_, run.run)});
    drawn.scales.push_back({label(run), scalesOf(queries::scales(report_, run.run))});
  }
  return drawn;
}

views::View ReportFile::view(const ViewRequest& request) const {
  const auto named = std::ranges::find(views::all_views(), request.name, &views::NamedView::name);
  if (named == views::all_views().end()) throw std::invalid_argument("there is no view " + request.name);
  const std::vector<queries::RunRow> runs = chosen(runs_, request.run);
  const bool of_steps = request.steps && named->takes_steps;
  const std::lock_guard lock(of_steps ? calls_mutex_ : mutex_);
  views::ViewSource source{of_steps ? calls() : report_, runs, analysis::Targets(runs)};
  if (of_steps) source.steps = request.steps;
  source.filter = views::filter_of({.op = request.op, .module = request.module});
  if (request.group && named->takes_grouping) source.grouping = analysis::Grouping{*request.group, source.filter};
  views::View view = named->make(source);
  if (request.in_program_order && named->takes_grouping) put_in_program_order(view, source);
  return view;
}

Overflow ReportFile::overflow(std::int64_t run) const {
  const std::lock_guard lock(mutex_);
  Overflow overflow{.events_view = {},
                    .events = queries::events(report_, run),
                    .scales = queries::scales(report_, run),
                    .advice = {}};
  overflow.events_view = views::events_view(overflow.events);
  overflow.advice = advice::loss_scale_advice(queries::ops(report_, run), overflow.scales);
  return overflow;
}

ComparedSide ReportFile::side(const std::string& wanted) const {
  const std::lock_guard lock(mutex_);
  const std::vector<queries::RunRow> meant = views::runs_named(runs_, wanted, path_.string());
  std::vector<compare::Sketches> sketches;
  for (const queries::RunRow& run : meant) sketches.push_back(queries::sketches(report_, run.run));
  analysis::RunRecords records;
  const auto records_of = [&](std::int64_t run) -> const analysis::RunRecords& {
    return records = {queries::ops(report_, run), queries::events(report_, run)};
  };
  return {analysis::side_of(path_.string(), runs_, meant, "", records_of), std::move(sketches)};
}

std::shared_ptr<const Board> ReportFile::board(const queries::RunRow& run) const {
  const std::lock_guard lock(mutex_);
  return std::make_shared<const Board>(run, analysis::evidence_of(report_, run, runs_));
}

const queries::Report& ReportFile::calls() const {
  if (!calls_) calls_.emplace(path_);
  return *calls_;
}

std::vector<queries::SiteStepRow> stepsOf(const ReportFile& file, const queries::OpRow& site,
                                          const std::function<bool()>& is_wanted) {
  return file.readCalls([&](const queries::Report& report) {
    if (!is_wanted()) return std::vector<queries::SiteStepRow>();
    return queries::steps_of(report, site.run, site.call_site_id, site.position);
  });
}

std::shared_ptr<const TimelineRun> ReportFile::timelineRun(std::int64_t run) const {
  const std::lock_guard lock(mutex_);
  return std::make_shared<const TimelineRun>(readTimelineRun(report_, run));
}

std::shared_ptr<const TimelinePicture> ReportFile::timelinePicture(const TimelineRun& run, const TimeSpan& span,
                                                                   int bins, std::int64_t most_calls) const {
  const std::lock_guard lock(mutex_);
  return std::make_shared<const TimelinePicture>(readTimelinePicture(report_, run, span, bins, most_calls));
}

Measured ReportFile::measured(std::int64_t run, const TimeSpan& span, std::int64_t most) const {
  const std::lock_guard lock(calls_mutex_);
  return {span, queries::span_totals(calls(), run, span, most), streamTotals(calls(), run, span, most)};
}

std::optional<queries::SpanCall> nextCall(const ReportFile& file, std::int64_t run,
                                          const std::vector<SiteInStep>& places, std::int64_t from_ns,
                                          std::int64_t most_calls) {
  return file.readCalls([&](const queries::Report& report) {
    std::optional<queries::SpanCall> next;
    for (const std::int64_t from : {from_ns, std::numeric_limits<std::int64_t>::min()}) {
      for (const SiteInStep& place : places) {
        const auto call = queries::next_call(report, run, place, from, most_calls);
        if (call && (!next || call->start_ns < next->start_ns)) next = call;
      }
      if (next) break;
    }
    return next;
  });
}

std::shared_ptr<const Board> advisedBoard(const ReportFile& file) {
  const auto run = analysis::run_to_advise(file.runs());
  return run ? file.board(*run) : nullptr;
}

std::shared_ptr<const Board> boardAt(const ReportFile& file, const std::string& level) {
  const auto run = std::ranges::find(file.runs(), level, &queries::RunRow::level);
  return run == file.runs().end() ? nullptr : file.board(*run);
}

std::optional<std::int64_t> runWithOverflow(const ReportFile& file) {
  const auto overflowed =
      std::ranges::find_if(file.runs(), [](const queries::RunRow& run) { return run.overflow_events > 0; });
  if (overflowed != file.runs().end()) return overflowed->run;
  const auto run = analysis::run_of_interest(file.runs());
  return run ? std::optional(run->run) : std::nullopt;
}

bool isDistributed(const ReportFile& file) {
  return std::ranges::any_of(file.runs(), [](const queries::RunRow& run) { return run.world_size.value_or(1) > 1; });
}

std::int64_t mostSteps(const ReportFile& file, std::optional<std::int64_t> run) {
  std::int64_t most = 0;
  for (const queries::RunRow& row : file.runs()) {
    if (!run || row.run == *run) most = std::max(most, row.steps);
  }
  return most;
}

}  // namespace ampprof::gui

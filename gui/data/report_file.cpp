// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/report_file.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "cli/views/advice.h"
#include "cli/views/pairing.h"

namespace ampprof::gui {
namespace {

std::vector<RunRow> chosen(const std::vector<RunRow>& runs, std::optional<std::int64_t> run) {
  std::vector<RunRow> wanted;
  std::ranges::copy_if(runs, std::back_inserter(wanted), [&](const RunRow& row) { return !run || row.run == *run; });
  return wanted;
}

/// Rows in the order of their first call sites in the program.
void put_in_program_order(cli::View& view, cli::ViewSource& source) {
  std::map<std::pair<std::int64_t, std::string>, std::size_t> places;
  for (const auto& group : cli::grouped(source.ops(), source.grouping)) {
    places.emplace(std::pair(group.row.run, group.row.call_site), places.size());
  }
  std::ranges::stable_sort(view.records, {}, [&](const cli::Record& record) {
    const auto found = places.find({record.json.value("run", std::int64_t{0}), record.json.value("call_site", "")});
    return found == places.end() ? places.size() : found->second;
  });
}

}  // namespace

ReportFile::ReportFile(std::filesystem::path path, const OpenProgress& progress)
    : path_(std::move(path)), report_(path_, progress), runs_(report_.runs()) {}

Overview ReportFile::overview() const {
  const std::lock_guard lock(mutex_);
  cli::ViewSource source{report_, runs_, cli::Targets(runs_)};
  const cli::Findings findings = findings_of(source);
  return {.answer = answer(findings, source.targets),
          .figures = cli::run_figures(findings, source.targets),
          .missing = findings.missing};
}

std::vector<std::vector<StepValue>> ReportFile::losses() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::vector<StepValue>> losses;
  for (const RunRow& run : runs_) losses.push_back(report_.loss_by_step(run.run));
  return losses;
}

cli::View ReportFile::view(const ViewRequest& request) const {
  const auto named = std::ranges::find(cli::all_views(), request.name, &cli::NamedView::name);
  if (named == cli::all_views().end()) throw std::invalid_argument("there is no view " + request.name);
  const std::vector<RunRow> runs = chosen(runs_, request.run);
  const bool of_steps = request.steps && named->takes_steps;
  const std::lock_guard lock(of_steps ? calls_mutex_ : mutex_);
  cli::ViewSource source{of_steps ? calls() : report_, runs, cli::Targets(runs)};
  if (of_steps) source.steps = request.steps;
  source.filter = cli::SiteFilter({.op = request.op, .module = request.module});
  if (request.group && named->takes_grouping) source.grouping = cli::Grouping{*request.group, source.filter};
  cli::View view = named->make(source);
  if (request.in_program_order && named->takes_grouping) put_in_program_order(view, source);
  return view;
}

Overflow ReportFile::overflow(std::int64_t run) const {
  const std::lock_guard lock(mutex_);
  Overflow overflow{.events_view = {}, .events = report_.events(run), .scales = report_.scales(run), .advice = {}};
  overflow.events_view = cli::events_view(overflow.events);
  overflow.advice = loss_scale_advice(report_.ops(run), overflow.scales);
  return overflow;
}

cli::SideOf ReportFile::side(const std::string& wanted) const {
  const std::lock_guard lock(mutex_);
  cli::RunRecords records;
  return cli::side_of(path_.string(), runs_, cli::runs_named(runs_, wanted, path_.string()), "",
                      [&](std::int64_t run) -> const cli::RunRecords& {
                        return records = {report_.ops(run), report_.events(run)};
                      });
}

std::shared_ptr<const Board> ReportFile::board() const {
  const auto run = cli::run_to_advise(runs_);
  return run ? board(*run) : nullptr;
}

std::shared_ptr<const Board> ReportFile::board(const RunRow& run) const {
  const std::lock_guard lock(mutex_);
  return std::make_shared<const Board>(cli::evidence_of(report_, run, runs_));
}

Comparison compared(cli::SideOf a, cli::SideOf b) {
  const cli::Compilation compilation(std::move(a), std::move(b), {});
  return {run_difference_view(compilation.side_by_side()), site_difference_view(compilation.side_by_side())};
}

const Report& ReportFile::calls() const {
  if (!calls_) calls_.emplace(path_);
  return *calls_;
}

std::vector<SiteStepRow> ReportFile::stepsOf(const OpRow& site, const std::function<bool()>& is_wanted) const {
  const std::lock_guard lock(calls_mutex_);
  if (!is_wanted()) return {};
  return calls().steps_of(site.run, site.call_site_id, site.position);
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
  return {span, calls().span_totals(run, span, most), streamTotals(calls(), run, span, most)};
}

std::optional<SpanCall> ReportFile::nextCall(std::int64_t run, const std::vector<SiteInStep>& places,
                                             std::int64_t from_ns, std::int64_t most_calls) const {
  const std::lock_guard lock(calls_mutex_);
  for (const std::int64_t from : {from_ns, std::numeric_limits<std::int64_t>::min()}) {
    std::optional<SpanCall> next;
    for (const SiteInStep& place : places) {
      const auto call = calls().next_call(run, place, from, most_calls);
      if (call && (!next || call->start_ns < next->start_ns)) next = call;
    }
    if (next) return next;
  }
  return std::nullopt;
}

}  // namespace ampprof::gui

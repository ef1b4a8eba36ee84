// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/report_file.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "cli/views/advice.h"
#include "cli/views/difference.h"
#include "cli/views/pairing.h"

namespace ampprof::gui {
namespace {

std::vector<RunRow> chosen(const std::vector<RunRow>& runs, std::optional<std::int64_t> run) {
  std::vector<RunRow> wanted;
  std::ranges::copy_if(runs, std::back_inserter(wanted), [&](const RunRow& row) { return !run || row.run == *run; });
  return wanted;
}

}  // namespace

ReportFile::ReportFile(std::filesystem::path path) : path_(std::move(path)), report_(path_), runs_(report_.runs()) {}

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
  const std::lock_guard lock(mutex_);
  const std::vector<RunRow> runs = chosen(runs_, request.run);
  cli::ViewSource source{report_, runs, cli::Targets(runs)};
  if (request.group && named->takes_grouping) source.grouping = cli::Grouping{*request.group, cli::SiteFilter({})};
  return named->make(source);
}

Overflow ReportFile::overflow(std::int64_t run) const {
  const std::lock_guard lock(mutex_);
  Overflow overflow{.events_view = {}, .events = report_.events(run), .scales = report_.scales(run), .advice = {}};
  overflow.events_view = cli::events_view(overflow.events);
  overflow.advice = loss_scale_advice(report_.ops(run), overflow.scales);
  return overflow;
}

Comparison ReportFile::comparison(const std::string& a, const std::string& b) const {
  const std::lock_guard lock(mutex_);
  const auto side_of = [&](const std::string& wanted) {
    cli::SideOf side{.report = path_.string(),
                     .repeats = {.runs = cli::runs_named(runs_, wanted, path_.string())},
                     .targets = cli::Targets(runs_)};
    for (const RunRow& run : side.repeats.runs) {
      std::ranges::move(report_.ops(run.run), std::back_inserter(side.repeats.ops));
      std::ranges::move(report_.events(run.run), std::back_inserter(side.repeats.events));
    }
    side.targets.learn_from(side.repeats.ops);
    return side;
  };
  const cli::SideOf first = side_of(a);
  const cli::SideOf second = side_of(b);
  compare::Options options;
  options.confidence.deterministic = std::ranges::all_of(first.repeats.runs, cli::is_deterministic) &&
                                     std::ranges::all_of(second.repeats.runs, cli::is_deterministic);
  const compare::Difference difference = compare_runs(first.repeats, second.repeats, options);
  const cli::SideBySide compared{first, second, difference, options.confidence.alpha};
  return {run_difference_view(compared), site_difference_view(compared)};
}

std::shared_ptr<const Board> ReportFile::board() const {
  const auto run = cli::run_to_advise(runs_);
  if (!run) return nullptr;
  const std::lock_guard lock(mutex_);
  return std::make_shared<const Board>(cli::evidence_of(report_, *run, runs_));
}

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/pictured_sites.h"

#include <algorithm>
#include <utility>

#include "analysis/compare/comparison.h"
#include "analysis/compare/pairing.h"
#include "gui/data/compared_side.h"
#include "gui/data/report_file.h"
#include "reports/queries/ops.h"
#include "reports/queries/run_names.h"
#include "reports/queries/runs.h"
#include "reports/queries/segments.h"
#include "views/runs/run_choice.h"

namespace ampprof::gui {
namespace {

using Runs = std::vector<queries::RunRow>;

double stepsOf(const Runs& runs, std::int64_t run) {
  const auto found = std::ranges::find(runs, run, &queries::RunRow::run);
  return found == runs.end() ? 1.0 : std::max(1.0, static_cast<double>(found->recorded_steps));
}

/// Returns the argument with which ReportFile::side() finds a run and its repeats: the run's level. Returns the run's
/// id if the run has no level or is one of many ranks.
std::string sideOf(const Runs& runs, std::int64_t run) {
  for (const Runs& repeats : analysis::by_level(runs)) {
    const bool is_among = std::ranges::count(repeats, run, &queries::RunRow::run) > 0;
    const bool is_level = !repeats.front().level.empty() && !queries::is_one_of_many(repeats.front());
    if (is_among && is_level) return views::name_of(repeats);
  }
  return std::to_string(run);
}

PicturedSites ofOneRun(const ReportFile& file, std::int64_t run) {
  ComparedSide side = file.side(std::to_string(run));
  const auto rows = std::make_shared<const std::vector<queries::OpRow>>(std::move(side.records.repeats.ops));
  PicturedSites pictured{.owner = rows, .sites = {}};
  for (const queries::OpRow& row : *rows) pictured.sites.push_back({.row = &row, .steps = stepsOf(file.runs(), run)});
  return pictured;
}

}  // namespace

PicturedSites picturedSteps(const ReportFile& file, std::int64_t run, const queries::StepSpan& steps) {
  const auto rows = file.readCalls([&](const queries::Report& report) {
    return std::make_shared<const std::vector<queries::OpRow>>(queries::ops(report, run, steps));
  });
  const auto is_recorded = [&](const queries::WholeStep& step) {
    return step.recorded && step.step >= steps.first && step.step <= steps.last;
  };
  const std::int64_t count = file.readViews([&](const queries::Report& report) {
    return std::ranges::count_if(queries::whole_steps(report, run), is_recorded);
  });
  const double recorded = std::max(1.0, static_cast<double>(count));
  PicturedSites pictured{.owner = rows, .sites = {}};
  for (const queries::OpRow& row : *rows) pictured.sites.push_back({.row = &row, .steps = recorded});
  return pictured;
}

PicturedSites picturedSites(const ReportFile& file, std::int64_t run, std::optional<std::int64_t> before) {
  if (!before) return ofOneRun(file, run);
  std::string a = sideOf(file.runs(), *before), b = sideOf(file.runs(), run);
  if (a == b) a = std::to_string(*before), b = std::to_string(run);  // two repeats of one level: compare them by id
  const auto compilation =
      std::make_shared<const analysis::OwnedComparison>(file.side(a).records, file.side(b).records, compare::Options());
  const analysis::SideBySide both = compilation->side_by_side();
  PicturedSites pictured{.owner = compilation, .sites = {}, .is_compared = true};
  pictured.has_noise = std::min(both.a.repeats.runs.size(), both.b.repeats.runs.size()) > 1;
  for (const compare::SiteDifference& site : both.difference.sites) {
    if (site.sites.b == nullptr) {
      ++pictured.gone;
      continue;
    }
    PicturedSite& added = pictured.sites.emplace_back(PicturedSite{.row = &site.sites.b->first()});
    added.steps = stepsOf(file.runs(), added.row->run);
    added.figures = site.figures;
    if (site.sites.a == nullptr) continue;
    added.before = &site.sites.a->first();
    added.steps_before = stepsOf(file.runs(), added.before->run);
  }
  return pictured;
}

}  // namespace ampprof::gui

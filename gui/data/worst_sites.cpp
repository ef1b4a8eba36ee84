// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/worst_sites.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "analysis/diagnosis/highlights.h"
#include "analysis/ops/op_figures.h"
#include "gui/data/report_file.h"
#include "precision/formats/types/number_format.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"

namespace ampprof::gui {

WorstSites worstSites(const ReportFile& file, std::size_t most) {
  const auto run = analysis::run_of_interest(file.runs());
  if (!run) return {};
  const auto half = static_cast<std::ptrdiff_t>(most / 2);
  std::vector<queries::OpRow> ops =
      file.readViews([&](const queries::Report& report) { return queries::ops(report, run->run); });
  std::erase_if(ops, [](const queries::OpRow& op) { return !op.local && !analysis::has_unexpected_nonfinite(op); });
  const auto finite = std::ranges::stable_partition(ops, analysis::has_unexpected_nonfinite);
  std::ranges::stable_sort(finite, analysis::matters_more);
  if (finite.begin() - ops.begin() > half) std::rotate(ops.begin() + half, finite.begin(), ops.end());
  std::vector<SiteInStep> places;
  for (const queries::OpRow& op : ops | std::views::take(most)) places.emplace_back(op.call_site_id, op.position);
  auto errors =
      file.readCalls([&](const queries::Report& report) { return queries::step_errors(report, run->run, places); });
  const bool judges_recipe = !run->what_if.empty() && !error::what_if_type(run->what_if);
  WorstSites worst{.run = file.label(*run), .judges_recipe = judges_recipe, .sites = {}};
  for (std::size_t place = 0; place < places.size(); ++place) {
    worst.sites.push_back({.call_site = ops[place].call_site, .errors = std::move(errors[place])});
  }
  return worst;
}

}  // namespace ampprof::gui

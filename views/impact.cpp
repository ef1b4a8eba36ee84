// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/group.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/format.h"
#include "views/views.h"

namespace ampprof::views {
namespace {

std::string_view name_of(ImpactSource source) {
  switch (source) {
    case ImpactSource::OpCall:
      return "op";
    case ImpactSource::Parameter:
      return "parameter";
    case ImpactSource::Input:
      return "input";
  }
  return "";
}

Json to_json(const ImpactRow& row, std::string_view source, std::int64_t call_sites) {
  return {{"run", row.run},
          {"level", text_or_null(row.level)},
          {"loss_id", row.loss_id},
          {"source", source},
          {"name", row.name},
          {"module", row.module},
          {"op", row.op},
          {"loss_impact", exact(row.impact)},
          {"loss_impact_rms", exact(row.impact_rms)},
          {"standard_error", exact(row.standard_error)},
          {"steps", row.steps},
          {"calls", row.calls},
          {"gaps", row.gaps},
          {"gap_reason", text_or_null(std::string(reason_of(row.gap)))},
          {"call_sites", call_sites}};
}

std::string signed_number(double value) { return (value > 0 ? "+" : "") + text::scientific(value); }

std::vector<Cell> cells_of(const ImpactRow& row, std::string_view source) {
  const text::Tone tone = source == "sum" ? text::Tone::Strong : text::Tone::Plain;
  return {{text::printable(row.level.empty() ? std::to_string(row.run) : row.level), text::Tone::Strong},
          {std::to_string(row.loss_id)},
          {std::string(source), tone},
          {text::printable(row.name), tone},
          {text::shown(row.impact, signed_number), tone},
          {text::shown(row.standard_error, text::scientific)},
          {text::shown(row.impact_rms, text::scientific), tone},
          {row.steps == row.calls ? text::count(row.steps) : text::count(row.steps) + " of " + text::count(row.calls)},
          {row.gaps == 0 ? std::string(text::kAbsent) : text::count(row.gaps) + ": " + std::string(reason_of(row.gap)),
           row.gaps > 0 ? text::Tone::Attention : text::Tone::Plain}};
}

/// The predicted change of one loss: the sum of the means.
ImpactRow sum_of(const std::vector<const ImpactRow*>& rows) {
  ImpactRow sum;
  sum.run = rows.front()->run;
  sum.level = rows.front()->level;
  sum.loss_id = rows.front()->loss_id;
  sum.name = "predicted change of the loss";
  for (const ImpactRow* row : rows) analysis::add_impact(sum, *row);
  return sum;
}

/// One row of all for each loss.
void add_sums(const std::vector<ImpactRow>& rows, View& view) {
  std::map<std::pair<std::int64_t, std::int32_t>, std::vector<const ImpactRow*>> losses;
  for (const ImpactRow& row : rows) losses[{row.run, row.loss_id}].push_back(&row);
  for (const auto& [loss, of_loss] : losses) {
    const ImpactRow sum = sum_of(of_loss);
    const auto n = static_cast<std::int64_t>(of_loss.size());
    view.records.push_back({to_json(sum, "sum", n), cells_of(sum, "sum")});
  }
}

// By the root mean square; where that of a group is not known, by the mean.
double rank_of(const analysis::Group<ImpactRow>& group) {
  const ImpactRow& row = group.row;
  if (row.impact_rms) return *row.impact_rms;
  return row.impact ? std::abs(*row.impact) : -1.0;
}

}  // namespace

View impact_view(std::vector<ImpactRow> rows, const std::optional<analysis::Grouping>& grouping) {
  View view{.name = "impact",
            .keys = {"run", "level", "loss_id", "source", "name", "module", "op", "loss_impact", "loss_impact_rms",
                     "standard_error", "steps", "calls", "gaps", "gap_reason", "call_sites"},
            .columns = {{.title = "run", .key = "level"},
                        {.title = "loss", .align = Align::Right, .spare = 3, .key = "loss_id"},
                        {.title = "source", .spare = 1, .key = "source"},
                        {.title = "name", .flexible = true, .key = "name"},
                        {.title = "impact", .align = Align::Right, .key = "loss_impact"},
                        {.title = "+-", .align = Align::Right, .spare = 2, .key = "standard_error"},
                        {.title = "rms", .align = Align::Right, .key = "loss_impact_rms"},
                        {.title = "steps", .align = Align::Right, .spare = 4, .key = "steps"},
                        {.title = "not known", .flexible = true, .spare = 5, .key = "gaps"}},
            .records = {},
            .none = "The report holds no loss impact. Record it with ampprof run --impact."};
  if (!grouping || grouping->filter.is_open()) add_sums(rows, view);
  auto groups = analysis::grouped(std::move(rows), grouping);
  std::ranges::stable_sort(groups, std::greater(), rank_of);
  for (const auto& [row, call_sites] : groups) {
    const auto source = name_of(row.source);
    view.records.push_back({to_json(row, source, call_sites), cells_of(row, source)});
  }
  (void)grouping;
  return view;
}

}  // namespace ampprof::views

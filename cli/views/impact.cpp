// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "cli/text/elide.h"
#include "cli/text/numbers.h"
#include "cli/views/format.h"
#include "cli/views/views.h"

namespace ampprof::cli {
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

Json to_json(const ImpactRow& row, std::string_view source) {
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
          {"gap_reason", text_or_null(std::string(reason_of(row.gap)))}};
}

std::string signed_number(double value) { return (value > 0 ? "+" : "") + scientific(value); }

std::vector<Cell> cells_of(const ImpactRow& row, std::string_view source) {
  const Tone tone = source == "sum" ? Tone::Strong : Tone::Plain;
  return {{printable(row.level.empty() ? std::to_string(row.run) : row.level), Tone::Strong},
          {std::to_string(row.loss_id)},
          {std::string(source), tone},
          {printable(row.name), tone},
          {shown(row.impact, signed_number), tone},
          {shown(row.standard_error, scientific)},
          {shown(row.impact_rms, scientific), tone},
          {row.steps == row.calls ? count(row.steps) : count(row.steps) + " of " + count(row.calls)},
          {row.gaps == 0 ? std::string(kAbsent) : count(row.gaps) + ": " + std::string(reason_of(row.gap)),
           row.gaps > 0 ? Tone::Attention : Tone::Plain}};
}

/// The predicted change of one loss: the sum of the means. Its root mean square is not known from theirs.
ImpactRow sum_of(const std::vector<const ImpactRow*>& rows) {
  ImpactRow sum;
  sum.run = rows.front()->run;
  sum.level = rows.front()->level;
  sum.loss_id = rows.front()->loss_id;
  sum.name = "predicted change of the loss";
  double variance = 0.0;
  bool error_known = true;
  for (const ImpactRow* row : rows) {
    sum.steps = std::max(sum.steps, row->steps);
    sum.calls = std::max(sum.calls, row->calls);
    sum.gaps += row->gaps;
    if (sum.gap == ImpactGap::None) sum.gap = row->gap;
    if (!row->impact) continue;
    sum.impact = sum.impact.value_or(0.0) + *row->impact;
    error_known = error_known && row->standard_error;
    variance += std::pow(row->standard_error.value_or(0.0), 2);
  }
  if (sum.impact && error_known) sum.standard_error = std::sqrt(variance);
  return sum;
}

}  // namespace

View impact_view(std::vector<ImpactRow> rows) {
  View view{.name = "impact",
            .keys = {"run", "level", "loss_id", "source", "name", "module", "op", "loss_impact", "loss_impact_rms",
                     "standard_error", "steps", "calls", "gaps", "gap_reason"},
            .columns = {{"run"},
                        {.title = "loss", .align = Align::Right, .spare = 3},
                        {.title = "source", .spare = 1},
                        {.title = "name", .flexible = true},
                        {"impact", Align::Right},
                        {.title = "+-", .align = Align::Right, .spare = 2},
                        {"rms", Align::Right},
                        {.title = "steps", .align = Align::Right, .spare = 4},
                        {.title = "not known", .flexible = true, .spare = 5}},
            .records = {},
            .none = "The report holds no loss impact. Record it with ampprof run --impact."};
  std::ranges::stable_sort(rows, [](const ImpactRow& a, const ImpactRow& b) {
    return a.impact_rms.value_or(-1) > b.impact_rms.value_or(-1);
  });
  std::map<std::pair<std::int64_t, std::int32_t>, std::vector<const ImpactRow*>> losses;
  for (const ImpactRow& row : rows) losses[{row.run, row.loss_id}].push_back(&row);
  for (const auto& [loss, of_loss] : losses) {
    const ImpactRow sum = sum_of(of_loss);
    view.records.push_back({to_json(sum, "sum"), cells_of(sum, "sum")});
  }
  for (const ImpactRow& row : rows) {
    view.records.push_back({to_json(row, name_of(row.source)), cells_of(row, name_of(row.source))});
  }
  return view;
}

}  // namespace ampprof::cli

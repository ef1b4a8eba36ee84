// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/group.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/column.h"
#include "views/site_columns.h"
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
  return {};
}

/// The impact of one source, of several as one, or of all on one loss.
struct ImpactLine {
  queries::ImpactRow row;
  std::int64_t call_sites;
  bool is_sum = false;

  std::string source() const { return std::string(is_sum ? "sum" : name_of(row.source)); }
  text::Tone tone() const { return is_sum ? text::Tone::Strong : text::Tone::Plain; }
};

using ImpactColumns = std::vector<ColumnOf<ImpactLine>>;

std::string signed_number(double value) { return (value > 0 ? "+" : "") + text::scientific(value); }

Cell measured_cell(const queries::ImpactRow& row) {
  const std::string steps = text::count(row.steps);
  return {row.steps == row.calls ? steps : steps + " of " + text::count(row.calls)};
}

Cell gaps_cell(const queries::ImpactRow& row) {
  if (row.gaps == 0) return {std::string(text::kAbsent)};
  return {text::count(row.gaps) + ": " + std::string(reason_of(row.gap)), text::Tone::Attention};
}

ImpactColumns impact_sources() {
  return {run_id<ImpactLine>(),
          run_level<ImpactLine>(),
          {.key = "loss_id",
           .value = [](const ImpactLine& line) -> Value { return line.row.loss_id; },
           .title = "loss",
           .cell = [](const ImpactLine& line) -> Cell { return {std::to_string(line.row.loss_id)}; },
           .align = Align::Right,
           .spare = 3},
          {.key = "source",
           .value = &ImpactLine::source,
           .title = "source",
           .cell = [](const ImpactLine& line) -> Cell {
             return {line.source(), line.tone()};
           },
           .spare = 1},
          {.key = "name",
           .value = [](const ImpactLine& line) -> Value { return line.row.name; },
           .title = "name",
           .cell = [](const ImpactLine& line) -> Cell {
             return {text::printable(line.row.name), line.tone()};
           },
           .flexible = true},
          site_module<ImpactLine>(),
          site_op<ImpactLine>(),
          {.key = "site_source",
           .value = [](const ImpactLine& line) { return known(line.row.site_source); },
           .title = "line",
           .cell = [](const ImpactLine& line) { return source_cell(line.row.site_source); },
           .flexible = true,
           .spare = 10,
           .behind = "call_sites"}};
}

ImpactColumns impact_figures() {
  return {
      {.key = "loss_impact",
       .value = [](const ImpactLine& line) { return value_of(line.row.impact); },
       .title = "impact",
       .cell = [](const ImpactLine& line) -> Cell {
         return {text::shown(line.row.impact, signed_number), line.tone()};
       },
       .align = Align::Right},
      {.key = "loss_impact_rms",
       .value = [](const ImpactLine& line) { return value_of(line.row.impact_rms); },
       .title = "rms",
       .cell = [](const ImpactLine& line) -> Cell {
         return {text::shown(line.row.impact_rms, text::scientific), line.tone()};
       },
       .align = Align::Right,
       .behind = "standard_error"},
      {.key = "standard_error",
       .value = [](const ImpactLine& line) { return value_of(line.row.standard_error); },
       .title = "+-",
       .cell = [](const ImpactLine& line) -> Cell { return {text::shown(line.row.standard_error, text::scientific)}; },
       .align = Align::Right,
       .spare = 2}};
}

ImpactColumns impact_steps() {
  return {{.key = "steps",
           .value = [](const ImpactLine& line) -> Value { return line.row.steps; },
           .title = "steps",
           .cell = [](const ImpactLine& line) { return measured_cell(line.row); },
           .align = Align::Right,
           .spare = 4},
          {.key = "calls", .value = [](const ImpactLine& line) -> Value { return line.row.calls; }},
          {.key = "gaps",
           .value = [](const ImpactLine& line) -> Value { return line.row.gaps; },
           .title = "not known",
           .cell = [](const ImpactLine& line) { return gaps_cell(line.row); },
           .flexible = true,
           .spare = 5},
          {.key = "gap_reason", .value = [](const ImpactLine& line) { return known(reason_of(line.row.gap)); }},
          call_sites<ImpactLine>("name")};
}

const ViewOf<ImpactLine>& declared_impact() {
  static const ViewOf<ImpactLine> kView{
      .name = "impact",
      .columns = joined({impact_sources(), impact_figures(), impact_steps()}),
      .none = "The report holds no loss impact. Record it with ampprof run --impact."};
  return kView;
}

/// The predicted change of one loss: the sum of the means.
queries::ImpactRow sum_of(const std::vector<const queries::ImpactRow*>& rows) {
  queries::ImpactRow sum;
  sum.run = rows.front()->run;
  sum.level = rows.front()->level;
  sum.loss_id = rows.front()->loss_id;
  sum.name = "predicted change of the loss";
  for (const queries::ImpactRow* row : rows) analysis::add_impact(sum, *row);
  return sum;
}

/// Returns one line of all for each loss.
std::vector<ImpactLine> sums_of(const std::vector<queries::ImpactRow>& rows) {
  std::map<std::pair<std::int64_t, std::int32_t>, std::vector<const queries::ImpactRow*>> losses;
  for (const queries::ImpactRow& row : rows) losses[{row.run, row.loss_id}].push_back(&row);
  std::vector<ImpactLine> lines;
  for (const auto& [loss, of_loss] : losses) {
    lines.push_back({sum_of(of_loss), static_cast<std::int64_t>(of_loss.size()), true});
  }
  return lines;
}

// By the root mean square; where that of a group is not known, by the mean.
std::optional<double> rank_of(const analysis::Group<queries::ImpactRow>& group) {
  const queries::ImpactRow& row = group.row;
  if (row.impact_rms || !row.impact) return row.impact_rms;
  return std::abs(*row.impact);
}

}  // namespace

View impact_view(std::vector<queries::ImpactRow> rows, const std::optional<analysis::Grouping>& grouping) {
  std::vector<ImpactLine> lines;
  if (!grouping || grouping->filter.is_open()) lines = sums_of(rows);
  auto groups = analysis::grouped(std::move(rows), grouping);
  std::ranges::stable_sort(groups, std::greater(), rank_of);
  for (auto& [row, call_sites] : groups) lines.push_back({std::move(row), call_sites});
  return view_of(declared_impact(), lines, hidden_without(grouping));
}

}  // namespace ampprof::views

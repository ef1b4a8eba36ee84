// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "analysis/losses/impact_order.h"
#include "analysis/ops/group.h"
#include "reports/queries/gradient_impacts.h"
#include "reports/queries/impacts.h"
#include "reports/records/gradient_impact.h"
#include "reports/records/impact_estimate.h"
#include "reports/records/loss_impact.h"
#include "reports/records/op_call.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/losses/impact_parts.h"
#include "views/losses/impact_sentences.h"
#include "views/losses/views.h"
#include "views/ops/site_columns.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

/// A row of the view: the impact of one source of rounding, of a group of sources, or of all sources on one loss. If
/// `gradient` is set, the row is instead the impact of a gradient error on the loss decrease of a step.
struct ImpactLine {
  queries::ImpactRow row;
  std::int64_t call_sites;
  bool is_sum = false;
  analysis::ImpactRank rank = {};
  std::optional<queries::GradientImpactRow> gradient = {};

  std::string source() const {
    if (gradient) return std::string(name_of(gradient->source));
    return std::string(is_sum ? "sum" : name_of(row.source));
  }
  text::Tone tone() const { return is_sum ? text::Tone::Strong : text::Tone::Plain; }
};

using ImpactColumns = std::vector<ColumnOf<ImpactLine>>;

Cell measured_cell(const queries::ImpactRow& row) {
  const std::string steps = text::count(row.steps);
  return {row.steps == row.called_steps ? steps : steps + " of " + text::count(row.called_steps)};
}

Cell gaps_cell(const ImpactLine& line) {
  const queries::ImpactRow& row = line.row;
  if (line.gradient && !line.gradient->impact) return {std::string(reason_of(line.gradient->gap)), text::Tone::Faint};
  if (row.gaps == 0) return {std::string(text::kAbsent)};
  return {text::count(row.gaps) + ": " + std::string(reason_of(row.gap)), text::Tone::Attention};
}

ImpactColumns impact_sources() {
  return {
      run_id<ImpactLine>(),
      run_level<ImpactLine>(),
      number_column<ImpactLine>({"loss_id", "Index of the loss, from 0. A program can have several losses."},
                                [](const ImpactLine& line) { return line.row.loss_id; }, "loss", digits, {.spare = 3}),
      {.key = "source",
       .about = "Source of the error: op, parameter, input (external data or an op that no gradient reaches) or "
                "decision (an error that changed an index or a mask). `sum` adds up all of these sources; `backward "
                "op` and `gradients` are errors of gradients.",
       .value = &ImpactLine::source,
       .title = "source",
       .cell = [](const ImpactLine& line) -> Cell {
         return {line.source(), line.tone()};
       },
       .spare = 1},
      {.key = "name",
       .about = "Call site or parameter.",
       .value = [](const ImpactLine& line) -> Value { return line.row.name; },
       .title = "name",
       .cell = [](const ImpactLine& line) -> Cell {
         return {text::printable(line.row.name), line.tone()};
       },
       .flexible = true},
      site_module<ImpactLine>(),
      site_op<ImpactLine>(),
      source_column<ImpactLine>(
          {"site_source",
           "Line of the program that makes the call, as FILE:LINE. A backward call has the line of its forward op."},
          [](const ImpactLine& line) { return line.row.site_source; }, "line", "call_sites")};
}

std::optional<double> root_of(const std::optional<double>& square) {
  return square ? std::optional(std::sqrt(*square)) : std::nullopt;
}

Cell rank_cell(const ImpactLine& line) {
  if (line.rank.place == 0) return {std::string(text::kAbsent)};
  return {text::count(line.rank.place) + (line.rank.is_tied ? "=" : ""), line.tone()};
}

Cell interval_cell(const ImpactLine& line) {
  const auto interval = interval_of(line.row.by_step);
  if (!interval || line.row.is_signed) return {std::string(text::kAbsent)};
  return {text::scientific(interval->low) + " to " + text::scientific(interval->high)};
}

Cell gradient_cell(const ImpactLine& line) {
  if (!line.gradient->impact) return {std::string(text::kAbsent)};
  if (line.gradient->is_ranking_only) return {"ranking only", text::Tone::Faint};
  return {text::signed_scientific(*line.gradient->impact)};
}

/// Shows no sampling error if every step was sampled: a 0 would claim certainty about later steps.
Cell sampling_error_cell(const ImpactLine& line) {
  const std::optional<double>& error = line.row.standard_error;
  return {text::shown(error && *error > 0.0 ? error : std::nullopt, text::scientific)};
}

/// Shows "within noise" for a change that cannot be told from 0. JSON and CSV have the value of the change.
Cell change_cell(const ImpactLine& line) {
  if (line.gradient) return gradient_cell(line);
  if (is_resolved(line.row.by_step) == false) return {"within noise", text::Tone::Faint};
  return {text::shown(line.row.impact, text::signed_scientific), line.tone()};
}

template <auto Bound>
Value bound_of(const ImpactLine& line) {
  const auto interval = line.row.is_signed ? std::nullopt : interval_of(line.row.by_step);
  return value_of(interval ? std::optional((*interval).*Bound) : std::nullopt);
}

template <auto Part>
Value part_of(const ImpactLine& line) {
  return value_of(root_of(line.row.squares.*Part));
}

ImpactColumns impact_sizes() {
  return {
      {.key = "rank",
       .about = "Rank within a run and loss, from 1.",
       .value = [](const ImpactLine& line) -> Value { return line.rank.place == 0 ? Value() : Value(line.rank.place); },
       .title = "rank",
       .cell = rank_cell,
       .align = Align::Right},
      {.key = "tied",
       .about = "True if the row cannot be told apart from the first row of its rank.",
       .value = [](const ImpactLine& line) -> Value { return line.rank.is_tied; }},
      {.key = "estimate",
       .about = "E: expected loss impact of rounding per step, root mean square.",
       .value = [](const ImpactLine& line) { return value_of(line.row.estimate()); },
       .title = "E",
       .cell = [](const ImpactLine& line) -> Cell {
         if (line.gradient) return {text::shown(line.gradient->size(), text::scientific)};
         return {text::shown(line.row.estimate(), text::scientific),
                 line.row.is_signed && line.row.estimate() ? text::Tone::Attention : line.tone()};
       },
       .align = Align::Right},
      {.key = "estimate_low",
       .about = "Lower end of the 90 % interval of E.",
       .value = bound_of<&SizeInterval::low>,
       .title = "90 % interval",
       .cell = interval_cell,
       .align = Align::Right,
       .spare = 6},
      {.key = "estimate_high", .about = "Upper end of the 90 % interval of E.", .value = bound_of<&SizeInterval::high>},
      {.key = "estimate_activation",
       .about = "Part of E due to rounded activations. The squares of the parts add up to E squared.",
       .value = part_of<&ImpactSquares::activation>,
       .title = "mostly",
       .cell = [](const ImpactLine& line) -> Cell { return {largest_part(rounded_parts(line.row.squares))}; },
       .spare = 3},
      {.key = "estimate_weight",
       .about = "Part of E due to rounded weights.",
       .value = part_of<&ImpactSquares::weight>},
      {.key = "estimate_output",
       .about = "Part of E due to rounded outputs.",
       .value = part_of<&ImpactSquares::output>},
      {.key = "self_check",
       .about = "Mean square of the signed changes divided by E squared. Above 16, the roundings are not independent.",
       .value = [](const ImpactLine& line) { return value_of(line.row.self_check); }},
      {.key = "ranks_by_estimate",
       .about = "True if the row ranks by E; false if it ranks by `loss_impact_rms`, for example because its roundings "
                "are not known.",
       .value = [](const ImpactLine& line) -> Value { return !line.row.is_signed; }},
      {.key = "gradient",
       .about = "Gradient that the errors were multiplied by: of the run, of the shadow, or the mean of both.",
       .value = [](const ImpactLine& line) -> Value { return std::string(name_of(line.row.gradient)); }}};
}

ImpactColumns impact_figures() {
  return {{.key = "loss_impact",
           .about = "Mean loss impact per step: change of the loss due to the error.",
           .value = [](const ImpactLine& line) { return value_of(line.row.impact); },
           .title = "impact",
           .cell = change_cell,
           .align = Align::Right},
          {.key = "resolved",
           .about = "True if the mean change is at least two standard errors. Null for one step.",
           .value = [](const ImpactLine& line) -> Value {
             const auto resolved = is_resolved(line.row.by_step);
             return resolved ? Value(*resolved) : Value();
           }},
          {.key = "loss_impact_rms",
           .about = "Root mean square of `loss_impact` over steps.",
           .value = [](const ImpactLine& line) { return value_of(line.row.impact_rms); },
           .title = "rms",
           .cell = [](const ImpactLine& line) -> Cell {
             return {text::shown(line.row.impact_rms, text::scientific), line.tone()};
           },
           .align = Align::Right,
           .behind = "standard_error"},
          {.key = "standard_error",
           .about = "Standard error of `loss_impact`, since not every step is measured.",
           .value = [](const ImpactLine& line) { return value_of(line.row.standard_error); },
           .title = "±",
           .cell = sampling_error_cell,
           .align = Align::Right,
           .spare = 2}};
}

template <auto Member>
std::optional<double> of_gradient(const ImpactLine& line) {
  return line.gradient ? (*line.gradient).*Member : std::nullopt;
}

std::string signed_percent(double share) { return (share > 0 ? "+" : "") + text::percent(share); }

/// Returns the columns of the impact of gradient errors on the loss decrease of a step.
ImpactColumns impact_on_decrease() {
  return {
      {.key = "gradient_impact",
       .about = "Step impact: mean change of the loss decrease per step. Negative: the loss decreases less.",
       .value =
           [](const ImpactLine& line) { return value_of(of_gradient<&queries::GradientImpactRow::impact>(line)); }},
      number_column<ImpactLine>(
          {"gradient_impact_share",
           "Sum of the gradient impacts divided by the sum of the loss decreases in the same steps."},
          of_gradient<&queries::GradientImpactRow::share>, "of decrease", signed_percent, {.spare = 8}),
      {.key = "gradient_impact_size",
       .about = "Expected size (root mean square) of `gradient_impact`.",
       .value = [](const ImpactLine& line) { return value_of(line.gradient ? line.gradient->size() : std::nullopt); }},
      {.key = "gradient_impact_is_ranking_only",
       .about =
           "True if only the order of step impacts is meaningful, because the derivative of the update is not known.",
       .value = [](const ImpactLine& line) -> Value { return line.gradient && line.gradient->is_ranking_only; }},
      {.key = "no_cotangents",
       .about = "Number of outputs that are intermediate results within one autograd node. Their errors count as "
                "forward errors.",
       .value = [](const ImpactLine& line) -> Value { return line.gradient ? line.gradient->no_cotangents : 0; }}};
}

/// Makes the row of the view for a gradient impact. Sets only the run, the call site and the step counts in `row`:
/// columns read the impact from ImpactLine::gradient.
ImpactLine line_of(const queries::GradientImpactRow& gradient) {
  ImpactLine line{.row = {}, .call_sites = 1};
  line.row.gaps = gradient.impact ? 0 : gradient.gaps;
  line.row.run = gradient.run;
  line.row.level = gradient.level;
  line.row.name = gradient.name;
  line.row.module = gradient.module;
  line.row.op = gradient.op;
  line.row.site_source = gradient.site_source;
  line.row.steps = gradient.steps;
  line.row.calls = line.row.called_steps = gradient.steps + gradient.gaps;
  line.row.call_site_id = gradient.call_site_id;
  line.row.position = gradient.position;
  line.gradient = gradient;
  return line;
}

/// Returns the rows of gradient impacts: by run, then the largest first; unknown impacts come last.
std::vector<ImpactLine> lines_of(std::vector<queries::GradientImpactRow> gradients) {
  const auto rank = [](const queries::GradientImpactRow& row) { return std::pair(-row.run, row.size()); };
  std::ranges::stable_sort(gradients, std::greater(), rank);
  std::vector<ImpactLine> lines;
  for (const queries::GradientImpactRow& gradient : gradients) lines.push_back(line_of(gradient));
  return lines;
}

ImpactColumns impact_steps() {
  return {{.key = "steps",
           .about = "Number of steps in which the impact was measured. Tables add the number of recorded steps that "
                    "call the op if it is larger.",
           .unit = "steps",
           .value = [](const ImpactLine& line) -> Value { return line.row.steps; },
           .title = "steps",
           .cell = [](const ImpactLine& line) { return measured_cell(line.row); },
           .align = Align::Right,
           .spare = 4},
          {.key = "calls",
           .about = "Number of calls from the call site in recorded steps, measured or not. A program that accumulates "
                    "gradients calls it several times in a step.",
           .value = [](const ImpactLine& line) -> Value { return line.row.calls; }},
          {.key = "gaps",
           .about = "Number of steps whose impact is unknown.",
           .value = [](const ImpactLine& line) -> Value { return line.row.gaps; },
           .title = "not known",
           .cell = [](const ImpactLine& line) { return gaps_cell(line); },
           .flexible = true,
           .spare = 5},
          {.key = "gap_reason",
           .about = "Reason why the impact of some steps is unknown.",
           .value = [](const ImpactLine& line) { return known(reason_of(line.row.gap)); }},
          call_sites<ImpactLine>("name")};
}

const ViewOf<ImpactLine>& declared_impact() {
  static const ViewOf<ImpactLine> kView{
      .name = "impact",
      .columns = joined({impact_sources(), impact_sizes(), impact_figures(), impact_on_decrease(), impact_steps()}),
      .none = "The report holds no loss impact.",
      .remedy = "Record loss impacts with ampprof run --impact.",
      .notes =
          "The row `sum` adds up the rows of a loss: the predicted effect of all roundings. Without --group-by, rows "
          "of backward ops and gradients follow. They show how errors change the loss decrease per step, and have no "
          "share if the derivative of the update is not known."};
  return kView;
}

/// Returns the predicted effect of all roundings on one loss: the sum of the mean impacts.
queries::ImpactRow sum_of(const std::vector<const queries::ImpactRow*>& rows) {
  queries::ImpactRow sum;
  sum.run = rows.front()->run;
  sum.level = rows.front()->level;
  sum.loss_id = rows.front()->loss_id;
  sum.name = "all roundings";
  for (const queries::ImpactRow* row : rows) analysis::add_impact(sum, *row);
  return sum;
}

/// Returns one row of sums for each loss of each run.
std::vector<ImpactLine> sums_of(const std::vector<queries::ImpactRow>& rows) {
  std::map<std::pair<std::int64_t, std::int32_t>, std::vector<const queries::ImpactRow*>> losses;
  for (const queries::ImpactRow& row : rows) losses[{row.run, row.loss_id}].push_back(&row);
  std::vector<ImpactLine> lines;
  for (const auto& [loss, of_loss] : losses) {
    lines.push_back({sum_of(of_loss), static_cast<std::int64_t>(of_loss.size()), true});
  }
  return lines;
}

// Returns the value by which groups are sorted: the expected size of the impact, or its absolute mean without one.
std::optional<double> rank_of(const analysis::Group<queries::ImpactRow>& group) {
  const queries::ImpactRow& row = group.row;
  if (row.size() || !row.impact) return row.size();
  return std::abs(*row.impact);
}

}  // namespace

View impact_view(std::vector<queries::ImpactRow> rows, const std::optional<analysis::Grouping>& grouping,
                 const std::vector<queries::GradientImpactRow>& gradients) {
  std::vector<ImpactLine> lines;
  const bool has_sums = !grouping || grouping->filter.is_open();
  if (has_sums) lines = sums_of(rows);
  auto groups = analysis::grouped(std::move(rows), grouping);
  std::ranges::stable_sort(groups, std::greater(), rank_of);
  std::vector<const queries::ImpactRow*> ordered;
  for (const auto& group : groups) ordered.push_back(&group.row);
  const std::vector<analysis::ImpactRank> ranks = analysis::impact_ranks(ordered);
  std::string order = impact_order(ordered, has_sums);
  std::vector<Sentence> said = impact_reliability(ordered);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    lines.push_back({std::move(groups[i].row), groups[i].call_sites, false, ranks[i]});
  }
  std::vector<std::string_view> hidden = hidden_without(grouping);
  if (grouping || gradients.empty()) {
    hidden.push_back("gradient_impact_share");
  } else {
    said.push_back(
        {"Rows of backward ops and gradients follow, sorted by run, then by the size of their step impact: the change "
         "of the loss decrease per step due to their errors."});
    std::ranges::move(lines_of(gradients), std::back_inserter(lines));
  }
  View view = view_of(declared_impact(), lines, hidden);
  view.order = std::move(order);
  view.said = std::move(said);
  return view;
}

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/recipes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "reports/queries/losses.h"
#include "reports/records/impact_estimate.h"
#include "reports/records/recipe_matmul.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/ops/site_columns.h"
#include "views/recipes/views.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

/// A row of the view: a matmul of a layer in one recipe.
struct RecipeLine {
  queries::RecipeMatmulRow row;
};

using Row = queries::RecipeMatmulRow;
using RecipeColumns = std::vector<ColumnOf<RecipeLine>>;

std::string signed_percent(double share) { return (share > 0 ? "+" : "") + text::percent(share); }
std::string decibels(double value) { return text::number(value) + " dB"; }

std::optional<double> share_of_decrease(const Row& row) {
  const auto impact = row.impact();
  if (row.is_on_loss() || row.is_ranking_only || !impact || !row.decrease || *row.decrease == 0.0) return std::nullopt;
  return *impact / *row.decrease;
}

/// Returns a column of numbers that may be absent. Without a title, the column is for JSON and CSV only.
template <class Figure>
ColumnOf<RecipeLine> figure(Named named, Figure of, std::string_view title = "", std::string (*shown)(double) = nullptr,
                            int spare = 0) {
  const auto of_line = [of](const RecipeLine& line) { return std::optional(of(line.row)); };
  if (title.empty()) {
    return {.key = std::move(named.key),
            .about = std::move(named.about),
            .unit = std::move(named.unit),
            .value = [of_line](const RecipeLine& line) { return value_of(of_line(line)); }};
  }
  return number_column<RecipeLine>(std::move(named), of_line, title, shown, {.spare = spare});
}

ColumnOf<RecipeLine> number(Named named, std::int64_t Row::*field) {
  return {.key = std::move(named.key),
          .about = std::move(named.about),
          .unit = std::move(named.unit),
          .value = [field](const RecipeLine& line) -> Value { return line.row.*field; }};
}

ColumnOf<RecipeLine> flag(Named named, bool (*of)(const Row&)) {
  return {.key = std::move(named.key),
          .about = std::move(named.about),
          .unit = std::move(named.unit),
          .value = [of](const RecipeLine& line) -> Value { return of(line.row); }};
}

RecipeColumns matmuls() {
  return {run_id<RecipeLine>(),
          run_level<RecipeLine>(),
          {.key = "recipe",
           .about = "Recipe whose effect on the matmul is predicted.",
           .value = [](const RecipeLine& line) -> Value { return line.row.recipe; },
           .title = "recipe",
           .cell = [](const RecipeLine& line) { return text_cell(line.row.recipe); }},
          site_name<RecipeLine>("layer"),
          site_phase<RecipeLine>(),
          site_module<RecipeLine>(),
          site_op<RecipeLine>(),
          site_source<RecipeLine>(),
          {.key = "matmul",
           .about = "Matmul of the layer: fprop, dgrad or wgrad.",
           .value = [](const RecipeLine& line) -> Value { return std::string(name_of(line.row.matmul)); },
           .title = "matmul",
           .cell = [](const RecipeLine& line) -> Cell { return {std::string(name_of(line.row.matmul))}; }}};
}

/// Returns the cell of the mean change. Shows the number only if it can be told from 0.
Cell impact_cell(const RecipeLine& line) {
  const Row& row = line.row;
  if (!row.impact()) return {std::string(text::kAbsent)};
  if (row.is_ranking_only) return {"ranking only", text::Tone::Faint};
  if (is_resolved(row.by_step) == false) return {"within noise", text::Tone::Faint};
  return {text::signed_scientific(*row.impact())};
}

Cell interval_cell(const RecipeLine& line) {
  const auto interval = line.row.interval();
  if (!interval) return {std::string(text::kAbsent)};
  return {text::scientific(interval->low) + " to " + text::scientific(interval->high)};
}

template <auto Bound>
std::optional<double> bound_of(const Row& row) {
  const auto interval = row.interval();
  return interval ? std::optional((*interval).*Bound) : std::nullopt;
}

RecipeColumns impacts_of_matmuls() {
  return {
      {.key = "changes",
       .about = "Quantity that the recipe changes: the loss (fprop), or the loss decrease per step (dgrad and wgrad).",
       .value = [](const RecipeLine& line) -> Value {
         return std::string(line.row.is_on_loss() ? "loss" : "decrease");
       }},
      figure(
          {"size", "Size that ranks the rows: E, combined with the mean change if the mean change is resolved."},
          [](const Row& row) { return row.size(); }, "size", text::scientific),
      figure(
          {"estimate", "E: expected change of the loss or the loss decrease in a step, root mean square."},
          [](const Row& row) { return row.estimate(); }, "E", text::scientific, 5),
      {.key = "estimate_low",
       .about = "Lower end of the 90 % interval of E.",
       .value = [](const RecipeLine& line) { return value_of(bound_of<&SizeInterval::low>(line.row)); },
       .title = "90 % interval",
       .cell = interval_cell,
       .align = Align::Right,
       .spare = 8},
      figure({"estimate_high", "Upper end of the 90 % interval of E."}, bound_of<&SizeInterval::high>),
      {.key = "impact",
       .about = "Mean change of the loss or the loss decrease over steps. A negative change of the decrease is worse.",
       .value = [](const RecipeLine& line) { return value_of(line.row.impact()); },
       .title = "impact",
       .cell = impact_cell,
       .align = Align::Right},
      figure(
          {"standard_error", "Standard error of `impact`."}, [](const Row& row) { return row.standard_error(); }, "±",
          text::scientific, 2),
      {.key = "resolved",
       .about = "True if the mean change is at least two standard errors. Null for one step.",
       .value =
           [](const RecipeLine& line) {
             const auto resolved = is_resolved(line.row.by_step);
             return resolved ? Value(*resolved) : Value();
           }},
      figure({"share_of_decrease", "`impact` divided by the loss decrease per step."}, share_of_decrease, "of decrease",
             signed_percent, 3),
      flag({"is_ranking_only", "True if only the order of `size` is meaningful."},
           [](const Row& row) { return row.is_ranking_only; }),
      number({"gaps", "Number of steps whose impact is unknown."}, &Row::gaps),
      {.key = "gap_reason",
       .about = "Reason why the impact of some steps is unknown.",
       .value = [](const RecipeLine& line) { return known(line.row.gap_reason); }}};
}

template <auto Operand, auto Figure>
std::optional<double> of_operand(const Row& row) {
  return row.is_quantized ? (row.*Operand.*Figure)() : std::nullopt;
}

template <auto Operand>
std::optional<double> amax_of(const Row& row) {
  return row.is_quantized ? std::optional((row.*Operand).amax) : std::nullopt;
}

RecipeColumns losses_of_operands() {
  constexpr auto kFirst = &Row::first;
  constexpr auto kSecond = &Row::second;
  return {figure(
              {"relative_error", "Error of the product, relative L2."},
              [](const Row& row) { return row.relative_error(); }, "error", text::scientific, 1),
          figure({"first_sqnr_db",
                  "Signal-to-quantization-noise ratio of the first operand: input of fprop, gradient of dgrad, input "
                  "of wgrad."},
                 of_operand<kFirst, &OperandRounding::sqnr_db>, "SQNR 1", decibels, 6),
          figure({"second_sqnr_db",
                  "Signal-to-quantization-noise ratio of the second operand: weight of fprop and dgrad, gradient of "
                  "wgrad."},
                 of_operand<kSecond, &OperandRounding::sqnr_db>, "SQNR 2", decibels, 6),
          figure({"first_flushed_share", "Share of the first operand that is flushed to 0."},
                 of_operand<kFirst, &OperandRounding::flushed_share>, "underflow 1", text::percent, 7),
          figure({"second_flushed_share", "Share of the second operand that is flushed to 0."},
                 of_operand<kSecond, &OperandRounding::flushed_share>, "underflow 2", text::percent, 7),
          figure({"first_saturated_share", "Share of the first operand that saturates."},
                 of_operand<kFirst, &OperandRounding::saturated_share>, "saturated 1", text::percent, 9),
          figure({"second_saturated_share", "Share of the second operand that saturates."},
                 of_operand<kSecond, &OperandRounding::saturated_share>, "saturated 2", text::percent, 9),
          figure({"first_amax", "Largest magnitude of the first operand."}, amax_of<kFirst>),
          figure({"second_amax", "Largest magnitude of the second operand."}, amax_of<kSecond>)};
}

Cell reason_cell(const RecipeLine& line) {
  const Row& row = line.row;
  if (!row.is_quantized) return {"not quantized: " + text::printable(row.reason), text::Tone::Attention};
  return text_cell(row.reason);
}

RecipeColumns sizes_of_matmuls() {
  return {number({"rows", "Rows of the weight."}, &Row::rows),
          number({"columns", "Columns of the weight."}, &Row::columns),
          number({"leading", "Product of the leading dimensions of the input."}, &Row::leading),
          number({"groups", "Number of matrix products in a call."}, &Row::groups),
          {.key = "flops",
           .about = "FLOPs of a call.",
           .unit = "FLOP",
           .value = [](const RecipeLine& line) -> Value { return line.row.flops(); }},
          number({"calls", "Number of calls."}, &Row::calls),
          number_column<RecipeLine>({"steps", "Number of steps that were measured.", "steps"},
                                    [](const RecipeLine& line) { return line.row.steps; }, "steps", text::count,
                                    {.spare = 4}),
          flag({"is_quantized", "False if the recipe leaves the layer in high precision."},
               [](const Row& row) { return row.is_quantized; }),
          flag({"has_hardware", "False if no current GPU supports this matmul in these types."},
               [](const Row& row) { return row.has_hardware; }),
          {.key = "reason",
           .about = "Reason why the layer stays in high precision, or why no GPU supports the matmul.",
           .value = [](const RecipeLine& line) { return known(line.row.reason); },
           .title = "note",
           .cell = reason_cell,
           .flexible = true,
           .spare = 10}};
}

const ViewOf<RecipeLine>& declared_recipes() {
  static const ViewOf<RecipeLine> kView{
      .name = "recipes",
      .columns = joined({matmuls(), impacts_of_matmuls(), losses_of_operands(), sizes_of_matmuls()}),
      .none = "The report has no recipe.",
      .remedy = "Record a recipe with ampprof run --what-if mxfp8, or --screen mxfp8.",
      .notes =
          "A row is a matmul of a layer in a recipe of run --what-if RECIPE or --screen. The sums of each recipe are "
          "above the table."};
  return kView;
}

/// Sums over all matmuls of one recipe in one run.
struct Total {
  double flops = 0.0, quantized = 0.0;
  std::vector<StepImpact> loss = {}, decrease = {};  ///< predicted changes by step, summed over matmuls
  std::vector<StepImpact> whole_loss = {};           ///< measured change of the loss if all matmuls use the recipe
  std::int64_t on_loss = 0;
  bool is_ranking_only = false;
  std::optional<double> share = {};

  void add(const Row& row) {
    const double work = row.flops() * static_cast<double>(row.calls);
    flops += work;
    if (row.is_quantized) quantized += work;
    if (row.by_step.empty()) return;
    std::vector<StepImpact>& sum = row.is_on_loss() ? loss : decrease;
    sum.empty() ? void(sum = row.by_step) : add_steps(sum, row.by_step);
    if (row.is_on_loss()) ++on_loss;
    is_ranking_only = is_ranking_only || row.is_ranking_only;
    if (const auto of_decrease = share_of_decrease(row)) share = share.value_or(0.0) + *of_decrease;
  }
};

std::string change_text(const std::vector<StepImpact>& steps) {
  Row sum;
  sum.by_step = steps;
  const auto impact = sum.impact();
  if (!impact) return std::string(text::kAbsent);
  const auto error = sum.standard_error();
  return text::signed_scientific(*impact) + (error ? " ± " + text::scientific(*error) : "");
}

/// Returns by how much the predicted loss changes, summed over matmuls, miss the measured loss change with all matmuls
/// in the recipe: the RMS of the difference divided by the RMS of the measured change, over the steps in which both are
/// known. Empty if too small to report.
std::optional<double> missed_by_sum(const Total& total) {
  constexpr double kWorthSaying = 0.1;
  double missed = 0.0, whole = 0.0;
  for (const StepImpact& step : total.whole_loss) {
    const auto sum = std::ranges::find(total.loss, step.step, &StepImpact::step);
    if (sum == total.loss.end()) continue;
    missed += std::pow(sum->change - step.change, 2);
    whole += step.change * step.change;
  }
  if (whole == 0.0 || missed < kWorthSaying * kWorthSaying * whole) return std::nullopt;
  return std::sqrt(missed / whole);
}

std::string loss_text(const Total& total) {
  if (total.whole_loss.empty()) return change_text(total.loss);
  const auto missed = missed_by_sum(total);
  return change_text(total.whole_loss) + (missed ? fmt::format(" (sum over its matmuls: {}, off by {})",
                                                               change_text(total.loss), text::percent(*missed))
                                                 : "");
}

Sentence sentence_of(const std::string& recipe, const Total& total) {
  std::string said = fmt::format("{}: {} of the matmuls' FLOPs are quantized", recipe,
                                 text::percent(total.flops > 0 ? total.quantized / total.flops : 0.0));
  if (!total.loss.empty()) said += fmt::format("; fprop changes the loss by {}", loss_text(total));
  if (!total.decrease.empty() && !total.is_ranking_only) {
    said += fmt::format("; dgrad and wgrad change the loss decrease per step by {}", change_text(total.decrease));
    if (total.share) said += fmt::format(" ({})", signed_percent(*total.share));
  }
  return {said + "."};
}

std::vector<Sentence> sentences_of(const std::vector<RecipeLine>& lines,
                                   const std::vector<queries::LossChange>& changes) {
  std::map<std::pair<std::int64_t, std::string>, Total> totals;
  for (const RecipeLine& line : lines) totals[{line.row.run, line.row.recipe}].add(line.row);
  for (auto& [key, total] : totals) {
    for (const queries::LossChange& step : changes) {
      if (step.run == key.first) total.whole_loss.push_back({step.step, step.change});
    }
  }
  std::vector<Sentence> said;
  for (const auto& [key, total] : totals) said.push_back(sentence_of(text::printable(key.second), total));
  if (!said.empty()) {
    said.push_back(
        {"1 and 2 are the matmul's operands: input and weight of fprop, gradient and weight of dgrad, input and "
         "gradient of wgrad."});
  }
  return said;
}

}  // namespace

View recipes_view(std::vector<queries::RecipeMatmulRow> rows, const std::vector<queries::LossChange>& changes) {
  const auto rank = [](const Row& row) {
    return std::tuple(-row.run, row.is_quantized, row.is_on_loss(), row.size().value_or(-1.0),
                      row.relative_error().value_or(-1.0));
  };
  const auto comes_first = [&](const Row& a, const Row& b) {
    return std::tuple(a.run, a.recipe) == std::tuple(b.run, b.recipe)
               ? rank(a) > rank(b)
               : std::tuple(a.run, a.recipe) < std::tuple(b.run, b.recipe);
  };
  std::ranges::stable_sort(rows, comes_first);
  std::vector<RecipeLine> lines;
  for (queries::RecipeMatmulRow& row : rows) lines.push_back({std::move(row)});
  View view = view_of(declared_recipes(), lines);
  view.said = sentences_of(lines, changes);
  return view;
}

}  // namespace ampprof::views

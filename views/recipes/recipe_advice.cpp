// SPDX-License-Identifier: Apache-2.0
#include "views/recipes/recipe_advice.h"

#include <fmt/format.h>

#include <cmath>

#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/table/column.h"

namespace ampprof::views {
namespace {

using advice::CurvePoint;
using advice::ErrorCost;
using advice::RecipeAdvice;

/// A row of the view: one matmul of a group of layers.
struct FormatLine {
  const advice::GroupAdvice* group;
  std::size_t matmul;

  const advice::MatmulAdvice& of() const { return *group->matmuls[matmul]; }
};

std::string matmul_of(const FormatLine& line) { return std::string(name_of(kMatmuls[line.matmul])); }

using FormatColumns = std::vector<ColumnOf<FormatLine>>;

std::optional<double> of_error_cost(const FormatLine& line, double (*figure)(const ErrorCost&)) {
  const auto& error_cost = line.of().error_cost;
  return error_cost ? std::optional(figure(*error_cost)) : std::nullopt;
}

/// Returns a column with a value that `figure` reads from a matmul's ErrorCost. If `is_loss`, only fprop, which changes
/// the loss, has a value; else only dgrad and wgrad, which change gradients.
ColumnOf<FormatLine> error_cost_column(Named named, bool is_loss, double (*figure)(const ErrorCost&)) {
  return {.key = std::move(named.key),
          .about = std::move(named.about),
          .unit = std::move(named.unit),
          .value = [=](const FormatLine& line) {
            const bool is_meant = (line.matmul == advice::kFprop) == is_loss;
            return value_of(is_meant ? of_error_cost(line, figure) : std::nullopt);
          }};
}

FormatColumns layers() {
  return {{.key = "module",
           .about = "Pattern that selects the modules.",
           .value = [](const FormatLine& line) { return known(line.group->pattern); },
           .title = "module",
           .cell = [](const FormatLine& line) -> Cell {
             return {line.group->pattern.empty() ? "-" : text::printable(line.group->pattern)};
           },
           .flexible = true},
          {.key = "modules",
           .about = "Modules that the pattern selects.",
           .value = [](const FormatLine& line) -> Value { return Json(line.group->modules); }},
          {.key = "op",
           .about = "Name of the op.",
           .value = [](const FormatLine& line) -> Value { return line.group->op; }},
          {.key = "rows",
           .about = "Rows of the weight.",
           .value = [](const FormatLine& line) -> Value { return line.group->rows; }},
          {.key = "columns",
           .about = "Columns of the weight.",
           .value = [](const FormatLine& line) -> Value { return line.group->columns; }},
          {.key = "leading",
           .about = "Product of the leading dimensions of the input.",
           .value = [](const FormatLine& line) -> Value { return line.group->leading; }}};
}

FormatColumns formats() {
  return {{.key = "matmul",
           .about = "Matmul of the layer: fprop, dgrad or wgrad.",
           .value = [](const FormatLine& line) -> Value { return matmul_of(line); },
           .title = "matmul",
           .cell = [](const FormatLine& line) -> Cell { return {matmul_of(line)}; }},
          {.key = "format",
           .about = "Format to compute the matmul in.",
           .value = [](const FormatLine& line) -> Value { return line.of().format; },
           .title = "format",
           .cell = [](const FormatLine& line) -> Cell {
             return {text::printable(line.of().format), line.of().error_cost ? text::Tone::Strong : text::Tone::Plain};
           }},
          number_column<FormatLine>(
              {"matmul_us", "Time of the matmul in a step, including the quantized copies of its operands."},
              [](const FormatLine& line) { return line.of().us; }, "time/step", text::microseconds),
          number_column<FormatLine>({"bf16_us", "Time of the matmul in a step in BF16."},
                                    [](const FormatLine& line) { return line.of().plain_us; }, "in bf16",
                                    text::microseconds, {.spare = 1}),
          {.key = "because",
           .about = "Reason for the format.",
           .value = [](const FormatLine& line) -> Value { return line.of().because; },
           .title = "because",
           .cell = [](const FormatLine& line) -> Cell { return {text::printable(line.of().because)}; },
           .flexible = true}};
}

double mean_of(const ErrorCost& error_cost) { return error_cost.mean; }
double less_of(const ErrorCost& error_cost) { return 0.0 - error_cost.mean; }
double uncertainty_of(const ErrorCost& error_cost) { return std::sqrt(error_cost.variance); }
double expected_of(const ErrorCost& error_cost) { return std::sqrt(error_cost.squares); }

FormatColumns error_costs() {
  return {error_cost_column({"loss_change", "Change of the loss due to fprop in this format."}, true, mean_of),
          error_cost_column({"loss_uncertainty", "Standard error of `loss_change`."}, true, uncertainty_of),
          error_cost_column({"loss_e", "E: expected size of the loss change, root mean square."}, true, expected_of),
          error_cost_column(
              {"decrease_change", "Change of the loss decrease per step due to dgrad or wgrad in this format."}, false,
              less_of),
          error_cost_column({"decrease_uncertainty", "Standard error of `decrease_change`."}, false, uncertainty_of),
          error_cost_column({"decrease_e", "E: expected size of the change of the loss decrease, root mean square."},
                            false, expected_of)};
}

const ViewOf<FormatLine>& declared_formats() {
  static const ViewOf<FormatLine> kView{.name = "advise",
                                        .columns = joined({layers(), formats(), error_costs()}),
                                        .none = "No layer has matmuls.",
                                        .wraps = true};
  return kView;
}

std::vector<FormatLine> lines_of(const RecipeAdvice& advice) {
  std::vector<FormatLine> lines;
  for (const advice::GroupAdvice& group : advice.groups) {
    for (std::size_t m = 0; m < group.matmuls.size(); ++m) {
      if (group.matmuls[m]) lines.push_back({&group, m});
    }
  }
  return lines;
}

Json to_json(const ErrorCost& error_cost, double sign, double tolerance) {
  return {{"change", exact(sign * error_cost.mean + 0.0)},
          {"uncertainty", exact(uncertainty_of(error_cost))},
          {"e", exact(expected_of(error_cost))},
          {"bound", exact(error_cost.bound())},
          {"tolerance", exact(tolerance)}};
}

Json to_json(const CurvePoint& point) {
  Json object{{"us", exact(point.total.us)},
              {"share_of_tolerance", exact(point.share)},
              {"loss_bound", exact(point.total.loss.bound())},
              {"decrease_bound", exact(point.total.gradient.bound())}};
  if (!point.name.empty()) object["name"] = point.name;
  return object;
}

Json to_json(const std::vector<CurvePoint>& points) {
  Json array = Json::array();
  for (const CurvePoint& point : points) array.push_back(to_json(point));
  return array;
}

std::string heading_of(const RecipeAdvice& advice) {
  return fmt::format(
      "The matmuls of a step take {} on {}, against {} in BF16, including the quantized copies of their operands.",
      text::microseconds(advice.total.us), advice.gpu, text::microseconds(advice.plain_us));
}

std::string error_cost_text(const char* what, const ErrorCost& error_cost, double sign, double tolerance) {
  return fmt::format("Predicted change of {}: {:+.1e} ± {} (varies by {} from step to step); at most {}, tolerance {}.",
                     what, sign * error_cost.mean + 0.0, text::scientific(uncertainty_of(error_cost)),
                     text::scientific(expected_of(error_cost)), text::scientific(error_cost.bound()),
                     text::scientific(tolerance));
}

/// Returns "1.20 ms at 30%": the time per step, and the share of the tolerance used.
std::string point_text(const CurvePoint& point) {
  const std::string share = std::isinf(point.share) ? "any share" : text::percent(point.share);
  return text::microseconds(point.total.us) + " at " + share;
}

std::string curve_text(const RecipeAdvice& advice) {
  constexpr std::size_t kShown = 6;
  std::string text = "Trade-off (time per step at the used share of the tolerance): ";
  const std::size_t stride = std::max<std::size_t>(1, (advice.curve.size() + kShown - 1) / kShown);
  for (std::size_t i = 0; i < advice.curve.size(); i += stride)
    text += (i == 0 ? "" : ", ") + point_text(advice.curve[i]);
  return text + '.';
}

std::string uniform_text(const RecipeAdvice& advice) {
  std::string text = "With a single format wherever possible: ";
  for (std::size_t i = 1; i < advice.uniform.size(); ++i) {
    text += fmt::format("{}{} {}", i == 1 ? "" : ", ", advice.formats[i].name, point_text(advice.uniform[i]));
  }
  return text + '.';
}

}  // namespace

View recipe_advice_view(const RecipeAdvice& advice) { return view_of(declared_formats(), lines_of(advice)); }

Json to_json(const RecipeAdvice& advice) {
  Json matmuls = Json::array();
  for (const FormatLine& line : lines_of(advice)) matmuls.push_back(json_of(declared_formats().columns, line));
  return {{"gpu", advice.gpu},
          {"matmuls", matmuls},
          {"us", exact(advice.total.us)},
          {"bf16_us", exact(advice.plain_us)},
          {"least_us", exact(advice.least_us)},
          {"loss", to_json(advice.total.loss, 1.0, advice.tolerances.loss)},
          {"decrease", to_json(advice.total.gradient, -1.0, advice.tolerances.gradient)},
          {"share_of_tolerance", exact(advice.share)},
          {"curve", to_json(advice.curve)},
          {"uniform", to_json(advice.uniform)},
          {"notes", advice.notes}};
}

std::string formatted(const RecipeAdvice& advice, Format format, const text::Terminal& terminal) {
  if (format == Format::Json) return to_text(to_json(advice));
  const View view = recipe_advice_view(advice);
  if (format == Format::Csv) return formatted(view, format, terminal);
  const bool is_table = format == Format::Table;
  const auto line = [&](const std::string& text) { return is_table ? wrapped({text}, terminal) : text + '\n'; };
  std::string text =
      line(heading_of(advice)) + line(error_cost_text("the loss", advice.total.loss, 1.0, advice.tolerances.loss)) +
      line(error_cost_text("the loss decrease per step", advice.total.gradient, -1.0, advice.tolerances.gradient));
  text += '\n' + formatted(view, format, terminal) + '\n' + line(curve_text(advice));
  if (advice.uniform.size() > 1) text += line(uniform_text(advice));
  for (const std::string& note : advice.notes) text += line("- " + text::printable(note));
  return text;
}

}  // namespace ampprof::views

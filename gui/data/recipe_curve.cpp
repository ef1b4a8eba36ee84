// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/recipe_curve.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "analysis/recipes/recipe_evidence.h"
#include "precision/advice/policy_evaluation.h"
#include "precision/advice/recipes/group_choices.h"
#include "precision/advice/recipes/layer_time.h"
#include "precision/formats/recipes/recipe_error.h"
#include "reports/queries/runs.h"

namespace ampprof::gui {
namespace {

using Row = queries::RecipeMatmulRow;

bool isShipped(const Row& row) {
  try {
    static_cast<void>(recipes::recipe_named(row.recipe));
    return true;
  } catch (const recipes::RecipeError&) {
    return false;
  }
}

std::vector<CurveDot> dotsOf(const std::vector<advice::CurvePoint>& points) {
  std::vector<CurveDot> dots;
  for (const advice::CurvePoint& point : points) dots.push_back({point.name, point.total.us, point.share});
  return dots;
}

bool isKept(const KeptMatmul& candidate, const advice::RecipeAdvice& advice, const std::string& recipe) {
  return std::ranges::none_of(advice.groups, [&](const advice::GroupAdvice& group) {
    const auto& matmul = group.matmuls[matmul_index(candidate.matmul)];
    return matmul && matmul->format == recipe && group.op == candidate.op &&
           std::ranges::find(group.modules, candidate.module) != group.modules.end();
  });
}

/// Returns the predicted time of the matmuls of a step in µs with `recipe`, except for the candidates in `kept`.
/// `format`: index of the recipe in advice::with_plain_first(curve.evidence.formats).
double usOf(const RecipeCurve& curve, const RecipeBoard& board, const TriedRecipe& recipe, std::size_t format,
            const std::set<std::size_t>& kept) {
  const auto formats = advice::with_plain_first(curve.evidence.formats);
  const advice::LayerTimes times(curve.evidence.gpu, formats);
  double us = 0.0;
  for (const analysis::LayerRows& of_layer : analysis::layers_of(board.rowsOf(recipe))) {
    advice::Formats rounded{};
    for (const Row* row : of_layer.rows) {
      const auto candidate = board.candidateOf(*row);
      const bool is_kept = candidate && kept.contains(*candidate);
      if (row->is_quantized && !is_kept) rounded[matmul_index(row->matmul)] = format;
    }
    us += times.us(of_layer.layer, rounded);
  }
  return us;
}

}  // namespace

RecipeCurve curveOf(const RecipeBoard& board) {
  std::vector<Row> rows = board.rows();
  std::erase_if(rows, [](const Row& row) { return !isShipped(row); });
  if (!analysis::has_recipe_impacts(rows)) {
    return {.why_none =
                "No impact was measured, so there is no plot of time against loss impact. Record with ampprof run "
                "--what-if, without --screen."};
  }
  const queries::RunRow& run = *std::ranges::find(board.runs(), rows.front().run, &queries::RunRow::run);
  RecipeCurve curve{.evidence =
                        analysis::recipe_evidence(rows, advice::largest_loss(run.first_loss_mean, run.last_loss_mean),
                                                  analysis::gpu_for_recipes("", run.device), board.times())};
  curve.gpu = curve.evidence.gpu.name;
  const advice::RecipeAdvice advice = advice::advise_recipes(curve.evidence);
  curve.tolerances = advice.tolerances;
  curve.curve = dotsOf(advice.curve);
  curve.uniform = dotsOf(advice.uniform);
  return curve;
}

KeptPlaces advisedFor(const RecipeCurve& curve, const RecipeBoard& board, const TriedRecipe& recipe) {
  advice::RecipeEvidence evidence = curve.evidence;
  std::erase_if(evidence.formats, [&](const recipes::Recipe& format) { return format.name != recipe.recipe; });
  if (curve.curve.empty() || evidence.formats.empty()) return {};
  KeptPlaces kept;
  const advice::RecipeAdvice advice = advice::advise_recipes(evidence);
  for (std::size_t place = 0; place < board.candidates().size(); ++place) {
    if (isKept(board.candidates()[place], advice, recipe.recipe)) kept.push_back(place);
  }
  return kept;
}

std::optional<CurveDot> dotOf(const RecipeCurve& curve, const RecipeBoard& board, const TriedRecipe& recipe,
                              const KeptPlaces& kept) {
  const auto formats = advice::with_plain_first(curve.evidence.formats);
  const auto format = std::ranges::find(formats, recipe.recipe, &recipes::Recipe::name);
  if (curve.curve.empty() || format == formats.end()) return std::nullopt;
  const RecipeErrorCost error_cost = predictionOf(board, recipe, kept).after;
  const double us =
      usOf(curve, board, recipe, static_cast<std::size_t>(format - formats.begin()), {kept.begin(), kept.end()});
  const double share = advice::share_of({us, error_cost.loss, error_cost.gradient}, curve.tolerances);
  if (!std::isfinite(us) || !std::isfinite(share)) return std::nullopt;
  return CurveDot{recipe.label, us, share};
}

}  // namespace ampprof::gui

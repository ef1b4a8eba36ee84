// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/recipe_curve.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "amp_core/levels/error.h"
#include "precision/advice/policy_evaluation.h"
#include "precision/advice/recipes/group_choices.h"
#include "precision/advice/recipes/layer_time.h"
#include "precision/gpu/device_caps.h"

namespace ampprof::gui {
namespace {

using Row = queries::RecipeMatmulRow;

constexpr const char* kAssumedGpu = "B200";  // where the run saw none that has such formats
constexpr int kLeastSm = 89;                 // the first with matmuls below 16 bits

gpu::PeakRates ratesOf(const std::vector<queries::RunRow>& runs) {
  for (const queries::RunRow& run : runs) {
    const auto device = gpu::device_caps(run.device);
    const auto rates = device ? gpu::peak_rates(*device) : std::nullopt;
    if (rates && rates->sm >= kLeastSm) return *rates;
  }
  return gpu::peak_rates(gpu::device_caps(kAssumedGpu).value()).value();
}

advice::LayerKind kindOf(const std::string& op) {
  if (op.find("conv") != std::string::npos) return advice::LayerKind::Convolution;
  const bool is_product = op.find("bmm") != std::string::npos || op.find("attention") != std::string::npos;
  return is_product ? advice::LayerKind::Product : advice::LayerKind::Linear;
}

/// Positive is harm.
advice::MatmulImpact impactOf(const Row& row) {
  advice::MatmulImpact impact{
      .steps = row.by_step, .is_independent = !row.is_signed, .is_ranking_only = row.is_ranking_only};
  if (row.is_on_loss()) return impact;
  for (StepImpact& step : impact.steps) step.change = -step.change;
  return impact;
}

advice::RecipeLayer layerOf(const Row& row) {
  return {.module = row.module,
          .op = row.op,
          .kind = kindOf(row.op),
          .rows = row.rows,
          .columns = row.columns,
          .leading = row.leading,
          .groups = row.groups,
          .calls = std::max<std::int64_t>(1, row.calls / std::max<std::int64_t>(1, row.steps)),
          .has = {false, false, false}};
}

bool isShipped(const std::string& recipe, std::vector<recipes::Recipe>& known) {
  if (std::ranges::find(known, recipe, &recipes::Recipe::name) != known.end()) return true;
  try {
    known.push_back(recipes::recipe_named(recipe));
    return true;
  } catch (const amp::Error&) {
    return false;
  }
}

double lossOf(const std::vector<queries::RunRow>& runs) {
  double loss = 0.0;
  for (const queries::RunRow& run : runs) loss = std::max(loss, advice::largest_loss(run));
  return loss;
}

advice::RecipeEvidence evidenceOf(const RecipeBoard& board) {
  advice::RecipeEvidence evidence{.gpu = ratesOf(board.runs()), .loss = lossOf(board.runs())};
  std::map<std::pair<std::string, std::int32_t>, std::size_t> places;
  for (const Row& row : board.rows()) {
    if (!isShipped(row.recipe, evidence.formats)) continue;
    const auto [place, is_new] = places.try_emplace({row.call_site, row.position}, evidence.layers.size());
    if (is_new) evidence.layers.push_back(layerOf(row));
    advice::RecipeLayer& layer = evidence.layers[place->second];
    layer.has[matmulPlace(row.matmul)] = true;
    if (!row.by_step.empty()) layer.impacts[matmulPlace(row.matmul)][row.recipe] = impactOf(row);
    if (!evidence.decrease) evidence.decrease = row.decrease;
  }
  return evidence;
}

std::vector<CurveDot> dotsOf(const std::vector<advice::CurvePoint>& points) {
  std::vector<CurveDot> dots;
  for (const advice::CurvePoint& point : points) dots.push_back({point.name, point.total.us, point.share});
  return dots;
}

bool hasImpacts(const advice::RecipeEvidence& evidence) {
  return std::ranges::any_of(evidence.layers, [](const advice::RecipeLayer& layer) {
    return std::ranges::any_of(layer.impacts, [](const auto& formats) { return !formats.empty(); });
  });
}

bool isKept(const KeptMatmul& candidate, const advice::RecipeAdvice& advice, const std::string& recipe) {
  return std::ranges::none_of(advice.groups, [&](const advice::GroupAdvice& group) {
    const auto& matmul = group.matmuls[matmulPlace(candidate.matmul)];
    return matmul && matmul->format == recipe &&
           std::ranges::find(group.modules, candidate.module) != group.modules.end();
  });
}

double usOf(const RecipeCurve& curve, const RecipeBoard& board, const TriedRecipe& recipe,
            const std::set<std::size_t>& kept) {
  const auto formats = advice::with_plain_first(curve.evidence.formats);
  const auto format = std::ranges::find(formats, recipe.recipe, &recipes::Recipe::name);
  std::map<std::pair<std::string, std::int32_t>, std::pair<advice::RecipeLayer, advice::Formats>> layers;
  for (const Row* row : board.rowsOf(recipe)) {
    const auto [place, is_new] = layers.try_emplace({row->call_site, row->position}, layerOf(*row), advice::Formats{});
    auto& [layer, of_layer] = place->second;
    layer.has[matmulPlace(row->matmul)] = true;
    const auto candidate = board.candidateOf(*row);
    if (row->is_quantized && format != formats.end() && !(candidate && kept.contains(*candidate)))
      of_layer[matmulPlace(row->matmul)] = static_cast<std::size_t>(format - formats.begin());
  }
  const advice::LayerTimes times(curve.evidence.gpu, formats);
  double us = 0.0;
  for (const auto& [place, layer] : layers) us += times.us(layer.first, layer.second);
  return us;
}

}  // namespace

RecipeCurve curveOf(const RecipeBoard& board) {
  RecipeCurve curve{.evidence = evidenceOf(board)};
  curve.gpu = curve.evidence.gpu.name;
  if (!hasImpacts(curve.evidence)) {
    curve.why_none =
        "Time against damage: no impact was measured. Record with ampprof run --what-if, without --screen.";
    return curve;
  }
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
  if (curve.curve.empty()) return std::nullopt;
  const RecipeDamage damage = predictionOf(board, recipe, kept).after;
  const double us = usOf(curve, board, recipe, {kept.begin(), kept.end()});
  const double share = advice::share_of({us, damage.loss, damage.gradient}, curve.tolerances);
  if (!std::isfinite(us) || !std::isfinite(share)) return std::nullopt;
  return CurveDot{recipe.label, us, share};
}

}  // namespace ampprof::gui

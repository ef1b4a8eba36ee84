// SPDX-License-Identifier: Apache-2.0
#include "analysis/recipes/recipe_evidence.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "amp_core/levels/error.h"
#include "amp_core/policy/cast_rule.h"
#include "precision/formats/recipes/recipe_file.h"
#include "reports/queries/recipes.h"
#include "reports/records/matmul_op.h"

namespace ampprof::analysis {
namespace {

using advice::RecipeLayer;
using queries::RecipeMatmulRow;

constexpr int kLeastSm = 89;  // the first GPU with matmuls below 16 bits

bool is_of_training(const RecipeMatmulRow& row) { return row.phase == Phase::Forward && row.matmul != Matmul::None; }

advice::LayerKind kind_of(const RecipeMatmulRow& row) {
  const std::string op = amp::op_name_from(row.op).base;
  if (op.find("conv") != op.npos) return advice::LayerKind::Convolution;
  const MatmulOp* known = matmul_op(op);
  const bool is_batched = known != nullptr && known->form == MatmulForm::Batched;
  const bool is_product = row.groups > 1 || is_batched || op == "scaled_dot_product_attention";
  return is_product ? advice::LayerKind::Product : advice::LayerKind::Linear;
}

RecipeLayer layer_of(const RecipeMatmulRow& row) {
  return {.module = row.module,
          .op = row.op,
          .kind = kind_of(row),
          .rows = row.rows,
          .columns = row.columns,
          .leading = row.leading,
          .groups = row.groups,
          .calls = std::max<std::int64_t>(1, row.calls / std::max<std::int64_t>(1, row.steps)),
          .has = {}};
}

/// Returns the impact of a matmul; a positive impact is harmful. It is the increase of the loss, or for gradients the
/// reduction of the loss decrease.
advice::MatmulImpact impact_of(const RecipeMatmulRow& row) {
  advice::MatmulImpact impact{
      .steps = row.by_step, .is_independent = !row.is_signed, .is_ranking_only = row.is_ranking_only};
  if (!row.is_on_loss()) {
    for (StepImpact& step : impact.steps) step.change = -step.change;
  }
  return impact;
}

std::vector<recipes::Recipe> recipes_of(const std::vector<RecipeMatmulRow>& rows) {
  std::vector<std::string> names;
  std::vector<recipes::Recipe> recipes;
  for (const RecipeMatmulRow& row : rows) {
    if (std::ranges::find(names, row.recipe) != names.end()) continue;
    names.push_back(row.recipe);
    recipes.push_back(recipes::recipe_from(row.recipe));
    recipes.back().name = row.recipe;
  }
  return recipes;
}

bool has_backward(const LayerRows& layer) { return layer.layer.has[advice::kDgrad] || layer.layer.has[advice::kWgrad]; }

/// Marks each layer as having a backward if no layer in the report has one. Otherwise a layer without a backward is
/// frozen and stays unchanged.
void assume_backward(std::vector<LayerRows>& layers) {
  if (std::ranges::any_of(layers, has_backward)) return;
  for (LayerRows& layer : layers) layer.layer.has = {true, true, true};
}

std::optional<double> decrease_of(const std::vector<RecipeMatmulRow>& rows) {
  double sum = 0.0;
  int known = 0;
  for (const RecipeMatmulRow& row : rows) {
    if (!row.decrease) continue;
    sum += *row.decrease;
    ++known;
  }
  return known == 0 ? std::nullopt : std::optional(sum / known);
}

}  // namespace

bool has_recipe_impacts(const std::vector<RecipeMatmulRow>& rows) {
  return std::ranges::any_of(rows, [](const RecipeMatmulRow& row) { return is_of_training(row) && row.has_impact; });
}

gpu::PeakRates gpu_for_recipes(const std::string& named, const std::string& device) {
  const auto rates_of = [](const std::string& name) {
    const auto caps = gpu::device_caps(name);
    return caps ? peak_rates(*caps) : std::nullopt;
  };
  if (!named.empty()) {
    if (const auto rates = rates_of(named)) return *rates;
    throw amp::Error("Peak rates of " + named + " are unknown. Use a GPU such as H100, B200 or RTX 5090.");
  }
  if (const auto rates = rates_of(device); rates && rates->sm >= kLeastSm) return *rates;
  return rates_of("B200").value();
}

std::vector<LayerRows> layers_of(const std::vector<const RecipeMatmulRow*>& rows) {
  std::vector<LayerRows> layers;
  std::map<std::tuple<std::string, std::int32_t>, std::size_t> places;
  for (const RecipeMatmulRow* row : rows) {
    if (!is_of_training(*row)) continue;
    const auto [place, is_new] = places.try_emplace({row->call_site, row->position}, layers.size());
    if (is_new) layers.push_back({layer_of(*row)});
    LayerRows& layer = layers[place->second];
    const std::size_t matmul = matmul_index(row->matmul);
    layer.layer.has[matmul] = true;
    layer.layer.is_rounded[matmul] = layer.layer.is_rounded[matmul] || row->is_quantized;
    layer.rows.push_back(row);
  }
  assume_backward(layers);
  return layers;
}

advice::RecipeEvidence recipe_evidence(const std::vector<RecipeMatmulRow>& rows, double loss, const gpu::PeakRates& gpu,
                                       const Bf16Times& times) {
  advice::RecipeEvidence evidence{.formats = recipes_of(rows), .gpu = gpu, .loss = loss, .decrease = decrease_of(rows)};
  std::vector<const RecipeMatmulRow*> all;
  for (const RecipeMatmulRow& row : rows) all.push_back(&row);
  for (LayerRows& of_layer : layers_of(all)) {
    RecipeLayer& layer = evidence.layers.emplace_back(std::move(of_layer.layer));
    put_times(layer, of_layer.rows, times);
    for (const RecipeMatmulRow* row : of_layer.rows) {
      if (row->is_quantized && row->has_impact) layer.impacts[matmul_index(row->matmul)][row->recipe] = impact_of(*row);
    }
  }
  return evidence;
}

}  // namespace ampprof::analysis

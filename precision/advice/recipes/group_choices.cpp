// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/group_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ampprof::advice {
namespace {

using recipes::Recipe;
using recipes::Slot;

std::string why_not_of_kind(const RecipeLayer& layer) {
  if (layer.kind == LayerKind::Convolution) return "No current GPU supports convolutions in such formats.";
  if (layer.kind == LayerKind::Product) return "Transformer Engine does not quantize matmuls of two activations.";
  return layer.module.empty() ? "It is outside all modules, so no rule can name it." : "";
}

/// 10 times the compute capability from which Transformer Engine 2.20.2 refuses MXFP8 (its check_mxfp8_support()).
constexpr int kFirstWithoutMxfp8 = 120;

bool has_mx_scale(const Recipe& recipe, std::size_t matmul) {
  const auto is_mx = [&](std::size_t slot) {
    return recipe[static_cast<recipes::Slot>(slot)].scale == recipes::Scale::BlockE8M0;
  };
  return is_mx(2 * matmul) || is_mx(2 * matmul + 1);
}

const MatmulImpact* impact_of(const RecipeLayer& layer, std::size_t matmul, const std::string& format) {
  const auto found = layer.impacts[matmul].find(format);
  return found == layer.impacts[matmul].end() || found->second.steps.empty() ? nullptr : &found->second;
}

std::string why_not(const RecipeLayer& layer, std::size_t matmul, const Recipe& recipe,
                    const RecipeEvidence& evidence) {
  const std::string kind = why_not_of_kind(layer);
  if (!kind.empty()) return kind;
  if (recipe.least_sm > evidence.gpu.sm) {
    return fmt::format("{} (sm_{}) does not support {}, which needs sm_{}.", evidence.gpu.name, evidence.gpu.sm,
                       recipe.name, recipe.least_sm);
  }
  if (evidence.gpu.sm >= kFirstWithoutMxfp8 && has_mx_scale(recipe, matmul)) {
    return fmt::format("Transformer Engine does not run {} on {} (sm_{}).", recipe.name, evidence.gpu.name,
                       evidence.gpu.sm);
  }
  const recipes::Decision decision = decide(recipe, layer.sizes());
  if (!decision.is_quantized) return decision.reason + " (" + recipe.name + ")";
  if (!impact_of(layer, matmul, recipe.name)) return fmt::format("Its impact in {} was not measured.", recipe.name);
  if (matmul != kFprop && !evidence.decrease) return "The loss decrease per step is unknown.";
  return {};
}

std::string why_not(const LayerGroup& group, std::size_t matmul, const Recipe& recipe, const RecipeEvidence& evidence) {
  for (const std::size_t place : group.layers) {
    const RecipeLayer& layer = evidence.layers[place];
    if (std::string reason = why_not(layer, matmul, recipe, evidence); layer.has[matmul] && !reason.empty()) {
      return reason;
    }
  }
  return {};
}

/// Sums the error costs of all layers step by step, with signs. Layers that share no step add up as if they were
/// independent.
ErrorCost group_error_cost(const LayerGroup& group, std::size_t matmul, const std::string& format,
                           const RecipeEvidence& evidence) {
  std::vector<StepImpact> sum;
  ErrorCost apart;
  bool is_independent = true;
  for (const std::size_t place : group.layers) {
    const MatmulImpact* impact = impact_of(evidence.layers[place], matmul, format);
    if (impact == nullptr) continue;
    const bool is_first = apart == ErrorCost{} && sum.empty();
    apart.add(error_cost_of(impact->steps, impact->is_independent));
    is_independent = is_independent && impact->is_independent;
    if (is_first) {
      sum = impact->steps;
    } else {
      add_steps(sum, impact->steps);
    }
  }
  return sum.empty() ? apart : error_cost_of(sum, is_independent);
}

/// Tells whether a group can use these formats together: a delayed scale must be used for all matmuls or none.
bool can_be_together(const Formats& formats, const OfMatmuls<bool>& has, const std::vector<Recipe>& recipes) {
  int delayed = 0;
  int others = 0;
  for (std::size_t m = 0; m < formats.size(); ++m) {
    if (has[m]) ++(is_delayed(recipes[formats[m]]) ? delayed : others);
  }
  return delayed == 0 || others == 0;
}

class Builder {
 public:
  Builder(const LayerGroup& group, const RecipeEvidence& evidence, const std::vector<Recipe>& recipes)
      : evidence_(evidence), recipes_(recipes), times_(evidence.gpu, recipes, evidence.are_copies_free) {
    built_.group = group;
    for (std::size_t m = 0; m < built_.has.size(); ++m) judge(m);
  }

  GroupChoices build() {
    Formats formats{};
    extend(0, formats);
    return std::move(built_);
  }

 private:
  void judge(std::size_t matmul) {
    built_.has[matmul] = std::ranges::any_of(built_.group.layers,
                                             [&](std::size_t place) { return evidence_.layers[place].has[matmul]; });
    for (std::size_t f = 0; f < recipes_.size(); ++f) {
      const bool is_plain = f == 0;
      const std::string& name = recipes_[f].name;
      const ErrorCost error_cost = is_plain ? ErrorCost{} : group_error_cost(built_.group, matmul, name, evidence_);
      std::string obstacle = is_plain ? "" : why_not(built_.group, matmul, recipes_[f], evidence_);
      if (obstacle.empty() && !std::isfinite(error_cost.bound())) {
        obstacle = fmt::format("Its impact in {} is not finite.", name);
      }
      built_.obstacles[matmul].push_back(std::move(obstacle));
      built_.error_costs[matmul].push_back(error_cost);
    }
  }

  void extend(std::size_t matmul, Formats& formats) {
    if (matmul == formats.size()) return take(formats);
    for (std::size_t f = 0; f < (built_.has[matmul] ? recipes_.size() : 1); ++f) {
      if (!built_.obstacles[matmul][f].empty()) continue;
      formats[matmul] = f;
      extend(matmul + 1, formats);
    }
    formats[matmul] = 0;
  }

  void take(const Formats& formats) {
    if (!can_be_together(formats, built_.has, recipes_)) return;
    Choice choice{.loss = built_.error_costs[kFprop][formats[kFprop]],
                  .gradient = built_.error_costs[kDgrad][formats[kDgrad]]};
    choice.gradient.add(built_.error_costs[kWgrad][formats[kWgrad]]);
    for (const std::size_t place : built_.group.layers) choice.us += times_.us(evidence_.layers[place], formats);
    if (!std::isfinite(choice.us)) return;
    built_.formats.push_back(formats);
    built_.choices.push_back(choice);
  }

  const RecipeEvidence& evidence_;
  const std::vector<Recipe>& recipes_;
  LayerTimes times_;
  GroupChoices built_ = {};
};

}  // namespace

std::vector<Recipe> with_plain_first(const std::vector<Recipe>& formats) {
  std::vector<Recipe> all{recipes::recipe_named("bf16")};
  for (const Recipe& recipe : formats) {
    if (recipe.name != all.front().name) all.push_back(recipe);
  }
  return all;
}

bool is_delayed(const Recipe& recipe) {
  return std::ranges::any_of(
      recipe.operands, [](const recipes::Operand& operand) { return operand.scale == recipes::Scale::TensorDelayed; });
}

std::size_t GroupChoices::place_of(const Formats& wanted) const {
  return static_cast<std::size_t>(std::ranges::find(formats, wanted) - formats.begin());
}

GroupChoices choices_of(const LayerGroup& group, const RecipeEvidence& evidence, const std::vector<Recipe>& formats) {
  return Builder(group, evidence, formats).build();
}

}  // namespace ampprof::advice

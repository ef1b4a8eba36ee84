// SPDX-License-Identifier: Apache-2.0
#include "profiler/recipes/recipe_products.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "precision/formats/recipes/recipe.h"
#include "precision/formats/recipes/recipe_file.h"

namespace ampprof::profiler {
bool RecipeLayer::is_quantized_by_any() const {
  return std::ranges::any_of(decisions, &recipes::Decision::is_quantized);
}

void RecipeLayer::leave(const std::string& reason) {
  for (recipes::Decision& decision : decisions) decision = {.is_quantized = false, .reason = reason};
}

RecipeProducts::RecipeProducts(const std::vector<std::string>& names) {
  for (const std::string& name : names) recipes_.push_back(recipes::recipe_from(name));
}

RecipeLayer RecipeProducts::decided(RecipeLayer layer) const {
  for (const recipes::Recipe& recipe : recipes_) layer.decisions.push_back(recipes::decide(recipe, layer.sizes));
  return layer;
}

RecipeRow RecipeProducts::row(std::size_t recipe, Matmul matmul, const RecipeLayer& layer) const {
  const recipes::Decision& decision = layer.decisions[recipe];
  const bool is_as_any_other = decision.is_quantized && decision.has_hardware;
  RecipeRow made;
  made.row = RecipeMatmul{.recipe = recipes_[recipe].name,
                          .matmul = matmul,
                          .is_quantized = decision.is_quantized,
                          .has_hardware = decision.has_hardware,
                          .reason = is_as_any_other ? "" : decision.reason,
                          .rows = layer.sizes.rows,
                          .columns = layer.sizes.columns,
                          .leading = layer.sizes.leading,
                          .groups = layer.groups,
                          .calls = 1};
  return made;
}

products::ProductSettings RecipeProducts::settings(std::size_t recipe, const ProductOf& of) {
  const RecipeLayer& layer = of.layer;
  products::ProductSettings settings{.second = layer.second,
                                     .random = {.stream = streams_.fetch_add(1, std::memory_order_relaxed)}};
  const bool is_attention = layer.number > 0;  // attention has one amax history for all sequence lengths
  const std::int64_t rows = is_attention ? 0 : layer.sizes.rows, columns = is_attention ? 0 : layer.sizes.columns;
  for (const int which : {0, 1}) {
    const recipes::Operand operand = products::operand_of(recipes_[recipe], of.matmul, which, layer.second);
    settings.amax[static_cast<std::size_t>(which)] =
        earlier_amax({recipe, layer.place, layer.number, rows, columns, of.matmul, which},
                     which == 0 ? of.first : of.second, operand, products::direction_of(of.matmul, which));
  }
  return settings;
}

products::RoundedProduct RecipeProducts::product(std::size_t recipe, const ProductOf& of,
                                                 products::ProductSettings settings, RecipeRow& row) const {
  row.first = std::make_shared<products::OperandRoundingSums>();
  row.second = std::make_shared<products::OperandRoundingSums>();
  settings.losses = {row.first.get(), row.second.get()};
  // Records store the losses of wgrad's operands as input, gradient; products::product() takes them as gradient, input.
  if (of.matmul == Matmul::Wgrad) std::swap(settings.losses[0], settings.losses[1]);
  return rounded_product(of.convolution, recipes_[recipe], of.matmul, of.first, of.second, settings);
}

/// Adds the operand's amax to the history of a delayed scale. Returns the largest amax of earlier calls; undefined in
/// the first call and without a delayed scale.
at::Tensor RecipeProducts::earlier_amax(const AmaxPlace& place, const at::Tensor& tensor,
                                        const recipes::Operand& operand, recipes::Direction direction) {
  if (operand.scale != recipes::Scale::TensorDelayed) return {};
  const at::Tensor now = products::operand_amax(tensor, operand, direction);
  const std::lock_guard lock(mutex_);
  std::deque<at::Tensor>& history = amaxes_[place];
  at::Tensor largest;
  if (!history.empty()) largest = at::stack(std::vector<at::Tensor>(history.begin(), history.end())).amax();
  history.push_back(now.nan_to_num(0.0, 0.0, 0.0));  // an overflow must not dominate the whole history
  if (std::ssize(history) > std::max(operand.history, 1)) history.pop_front();
  return largest;
}

}  // namespace ampprof::profiler

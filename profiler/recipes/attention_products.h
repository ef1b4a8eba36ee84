// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <vector>

#include "precision/replay/attention/fused_attention.h"
#include "profiler/recipes/recipe_products.h"

namespace ampprof::profiler {

/// Return the two layers of attention, in the order of FusedAttention::kParts. `place` is the call's.
std::vector<RecipeLayer> attention_layers(const RecipeProducts& products, LayerPlace place,
                                          const attention::FusedAttention& attention);

/// The tensors of an attention call: the program's own, and the exact output on the operands of `on`.
struct AttentionCall {
  const attention::FusedAttention& on;
  const std::vector<RecipeLayer>& layers;
  at::Tensor query;
  at::Tensor key;
  at::Tensor output;
  at::Tensor exact;  ///< in FP32 or above
};

/// Computes both products in each recipe. For the first recipe, adds an error of the output by each product: by the
/// scores, through the softmax, and by the results. Returns the first recipe's output; undefined where it quantizes
/// neither product.
at::Tensor attention_in_recipes(RecipeProducts& products, const AttentionCall& call, RecipeFindings& findings);

/// A call of attention's backward.
struct AttentionGradients {
  const attention::FusedAttention& on;
  const std::vector<RecipeLayer>& layers;
  const c10::FunctionSchema& schema;  ///< of the forward
  at::Tensor of_output;
  std::array<at::Tensor, 3> gradients{};  ///< of query, key, value, as in the program; undefined: not needed
};

/// Computes dgrad and wgrad of both products in each recipe.
void attention_backward_in_recipes(RecipeProducts& products, const AttentionGradients& call, RecipeFindings& findings);

}  // namespace ampprof::profiler

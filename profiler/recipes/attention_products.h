// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <vector>

#include "precision/replay/attention/fused_attention.h"
#include "profiler/recipes/recipe_products.h"

namespace ampprof::profiler {

/// Returns the two layers of attention, in the order of FusedAttention::kParts. `place`: the call's module and op.
std::vector<RecipeLayer> attention_layers(const RecipeProducts& products, LayerPlace place,
                                          const attention::FusedAttention& attention);

/// The program's own tensors in an attention call, and the exact output for the operands in `on`.
struct AttentionCall {
  const attention::FusedAttention& on;
  const std::vector<RecipeLayer>& layers;
  at::Tensor query;
  at::Tensor key;
  at::Tensor output;
  at::Tensor exact;  ///< exact output, in FP32 or FP64
};

/// Computes both products in each recipe. For the first recipe, adds the two errors of the output to `findings`: the
/// error of the scores, which reaches the output through the softmax, and the error of the second product. Returns the
/// first recipe's output; undefined if the recipe quantizes neither product.
at::Tensor attention_in_recipes(RecipeProducts& products, const AttentionCall& call, RecipeFindings& findings);

/// The tensors of a call of fused attention's backward.
struct AttentionGradients {
  const attention::FusedAttention& on;
  const std::vector<RecipeLayer>& layers;
  const c10::FunctionSchema& schema;  ///< schema of the forward op
  at::Tensor of_output;
  std::array<at::Tensor, 3> gradients{};  ///< the program's gradients of query, key and value; undefined if not needed
};

/// Computes dgrad and wgrad of both products in each recipe.
void attention_backward_in_recipes(RecipeProducts& products, const AttentionGradients& call, RecipeFindings& findings);

}  // namespace ampprof::profiler

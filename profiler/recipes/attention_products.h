// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <vector>

#include "precision/replay/attention/fused_attention.h"
#include "profiler/recipes/recipe_products.h"

namespace ampprof::profiler {

/// Return its two layers, in the order of FusedAttention::kParts. `place`: of the call.
std::vector<RecipeLayer> attention_layers(const RecipeProducts& products, LayerPlace place,
                                          const attention::FusedAttention& attention);

/// Holds the tensors of a call of attention: as the program has them, and the exact output on the operands of `on`.
struct AttentionCall {
  const attention::FusedAttention& on;
  const std::vector<RecipeLayer>& layers;
  at::Tensor query;
  at::Tensor key;
  at::Tensor output;
  at::Tensor exact;  ///< in FP32 or above
};

/// Finds what recipes make of both products. Of the first recipe there is an error of the output by each: by scores
/// that a softmax has gone over, and by results. Returns its output; undefined where it quantizes neither.
at::Tensor attention_in_recipes(RecipeProducts& products, const AttentionCall& call, RecipeFindings& findings);

/// Holds a call of its backward.
struct AttentionGradients {
  const attention::FusedAttention& on;
  const std::vector<RecipeLayer>& layers;
  const c10::FunctionSchema& schema;  ///< of the forward
  at::Tensor of_output;
  std::array<at::Tensor, 3> gradients{};  ///< of query, key, value, as the program has them; undefined: not asked for
};

/// Finds what recipes make of dgrad and wgrad of both products.
void attention_backward_in_recipes(RecipeProducts& products, const AttentionGradients& call, RecipeFindings& findings);

}  // namespace ampprof::profiler

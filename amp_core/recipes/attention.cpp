// SPDX-License-Identifier: Apache-2.0
#include "amp_core/recipes/attention.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "amp_core/recipes/layer_function.h"
#include "amp_core/recipes/two_matrices.h"

namespace amp::recipes {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// a·b of activations.
at::Tensor multiplied(const std::shared_ptr<const Layer>& layer, const at::Tensor& a, const at::Tensor& b) {
  const TwoMatrices matrices(a, b, TwoMatrices::Weight::None);
  if (!layer->formats.has_any()) return at::matmul(a, b);
  return matrices.product_from(apply(layer, {matrices.input(), matrices.weight()}));
}

at::Tensor masked(const at::Tensor& scores, const Arguments& arguments) {
  if (arguments.is_on("is_causal")) {
    const at::Tensor later = at::ones({scores.size(-2), scores.size(-1)}, scores.options().dtype(at::kBool)).triu(1);
    return scores.masked_fill(later, kMinusInfinity);
  }
  const at::Tensor mask = arguments.tensor("attn_mask");
  if (!mask.defined()) return scores;
  return mask.scalar_type() == at::kBool ? scores.masked_fill(mask.logical_not(), kMinusInfinity) : scores + mask;
}

/// With enable_gqa several heads of a query share one of key and value.
at::Tensor for_heads_of(const at::Tensor& query, const at::Tensor& tensor, bool is_grouped) {
  return is_grouped ? tensor.repeat_interleave(query.size(-3) / tensor.size(-3), -3) : tensor;
}

}  // namespace

at::Tensor attend(const AttentionLayers& layers, const Arguments& arguments) {
  const at::Tensor query = arguments.tensor("query");
  const bool is_grouped = arguments.is_on("enable_gqa");
  const at::Tensor key = for_heads_of(query, arguments.tensor("key"), is_grouped);
  const at::Tensor value = for_heads_of(query, arguments.tensor("value"), is_grouped);
  const double scale = arguments.number("scale", 1 / std::sqrt(static_cast<double>(query.size(-1))));
  const at::Tensor scores = multiplied(layers.scores, query, key.transpose(-2, -1)).to(at::kFloat) * scale;
  // As LibTorch's own: a row that is masked out as a whole is 0, not NaN.
  const at::Tensor weights = at::_safe_softmax(masked(scores, arguments), -1).to(query.scalar_type());
  const double dropout = arguments.number("dropout_p", 0);
  return multiplied(layers.results, dropout > 0 ? at::dropout(weights, dropout, true) : weights, value);
}

}  // namespace amp::recipes

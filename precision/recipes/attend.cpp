// SPDX-License-Identifier: Apache-2.0
#include "precision/recipes/attend.h"

#include <ATen/ATen.h>

#include "precision/formats/products/two_matrices.h"
#include "precision/recipes/layer_function.h"
#include "precision/replay/attention/attention.h"

namespace amp::recipes {
namespace {

/// Multiplies two activations, in the layer's recipes if it has any.
at::Tensor multiplied(const std::shared_ptr<const Layer>& layer, const at::Tensor& a, const at::Tensor& b) {
  using ampprof::products::TwoMatrices;
  if (!layer->formats.has_any()) return at::matmul(a, b);
  const TwoMatrices matrices(a, b, TwoMatrices::Weight::None);
  return matrices.product_from(apply(layer, {matrices.input(), matrices.weight()}));
}

}  // namespace

at::Tensor attend(const AttentionLayers& layers, const ampprof::products::Arguments& arguments) {
  const auto attention = ampprof::attention::Attention::of(arguments);
  const at::Tensor scores = multiplied(layers.scores, attention.query, attention.key.transpose(-2, -1));
  const at::Tensor weights = attention.weights(scores).to(attention.query.scalar_type());
  const double dropout = attention.dropout;
  return multiplied(layers.results, dropout > 0 ? at::dropout(weights, dropout, true) : weights, attention.value);
}

}  // namespace amp::recipes

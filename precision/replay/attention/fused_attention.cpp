// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/attention/fused_attention.h"

#include <ATen/ATen.h>
#include <ATen/core/function_schema.h>

#include <span>
#include <vector>

#include "precision/formats/products/arguments.h"
#include "precision/formats/products/matmuls.h"
#include "precision/formats/products/two_matrices.h"
#include "precision/replay/attention/kernels.h"

namespace ampprof::attention {
namespace {

using products::Arguments;
using products::TwoMatrices;

at::Tensor transposed(const at::Tensor& tensor) { return tensor.transpose(-2, -1); }

TwoMatrices matrices(const at::Tensor& a, const at::Tensor& b) { return {a, b, TwoMatrices::Weight::None}; }

at::Tensor as_batch(const at::Tensor& tensor) { return tensor.reshape({-1, tensor.size(-2), tensor.size(-1)}); }

}  // namespace

std::int64_t elements_of_scores(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments) {
  const Arguments named(schema, std::span(arguments.data(), arguments.size()));
  const at::Tensor query = named.tensor("query"), key = named.tensor("key");
  if (!query.defined() || !key.defined() || query.dim() < 2 || query.size(-1) == 0) return 0;
  return query.numel() / query.size(-1) * key.size(-2);
}

std::optional<FusedAttention> FusedAttention::of(const c10::FunctionSchema& schema,
                                                 c10::ArrayRef<c10::IValue> arguments) {
  const Arguments named(schema, std::span(arguments.data(), arguments.size()));
  const at::Tensor query = named.tensor("query");
  if (!query.defined() || query.dim() < 3 || query.numel() == 0) return {};
  Attention attention = Attention::of(named);
  if (attention.dropout > 0 || attention.key.numel() == 0 || named.find("q_descale") != nullptr) return {};
  const Kernel* kernel = kernel_of(schema.name());
  if (kernel != nullptr && kernel->sees_last_key) attention.causal_offset = attention.key.size(-2) - query.size(-2);
  return FusedAttention(attention, named.tensor("key").size(-3));
}

recipes::LayerSizes FusedAttention::sizes(Part part) const {
  const std::int64_t queries = attention_.query.size(-2), keys = attention_.key.size(-2);
  if (part == Part::Scores) return {.rows = keys, .columns = attention_.query.size(-1), .leading = queries};
  return {.rows = attention_.value.size(-1), .columns = keys, .leading = queries};
}

std::int64_t FusedAttention::groups() const {
  return attention_.query.numel() / (attention_.query.size(-2) * attention_.query.size(-1));
}

at::Tensor FusedAttention::weights(Multiply multiply) const {
  const TwoMatrices scores = matrices(attention_.query, transposed(attention_.key));
  return attention_.weights(
      scores.product_from(multiply(Part::Scores, Matmul::Fprop, scores.input(), scores.weight())));
}

at::Tensor FusedAttention::output(Multiply multiply) const {
  const TwoMatrices results = matrices(weights(multiply), attention_.value);
  return results.product_from(multiply(Part::Results, Matmul::Fprop, results.input(), results.weight()));
}

at::Tensor FusedAttention::as_output(const at::Tensor& product) const {
  std::vector<std::int64_t> sizes = attention_.query.sizes().vec();
  sizes.back() = attention_.value.size(-1);
  return product.reshape(sizes);
}

at::Tensor FusedAttention::as_query(const at::Tensor& matrix) const { return matrix.reshape(attention_.query.sizes()); }

at::Tensor FusedAttention::as_key(const at::Tensor& matrix) const { return matrix.reshape(attention_.key.sizes()); }

at::Tensor FusedAttention::gradient(std::size_t argument, const at::Tensor& of_output, Multiply multiply) const {
  const at::Tensor weights = this->weights(multiply_exactly);
  const TwoMatrices results = matrices(weights, attention_.value);
  const at::Tensor dy = as_batch(of_output);
  if (argument == kValue) {
    const at::Tensor of_weight = multiply(Part::Results, Matmul::Wgrad, dy, results.input());
    return of_key_heads(transposed(of_weight).reshape(attention_.value.sizes()));
  }
  const at::ScalarType type = weights.scalar_type();
  const at::Tensor of_weights = multiply(Part::Results, Matmul::Dgrad, dy, results.weight()).to(type);
  const at::Tensor of_scores = at::_softmax_backward_data(of_weights, as_batch(weights), -1, type) * attention_.scale;
  const TwoMatrices scores = matrices(attention_.query, transposed(attention_.key));
  if (argument == kQuery) return as_query(multiply(Part::Scores, Matmul::Dgrad, of_scores, scores.weight()));
  return of_key_heads(as_key(multiply(Part::Scores, Matmul::Wgrad, of_scores, scores.input())));
}

/// Sums the gradients of query heads that share one head of key and value.
at::Tensor FusedAttention::of_key_heads(const at::Tensor& gradient) const {
  if (gradient.size(-3) == key_heads_) return gradient;
  return gradient.unflatten(-3, {key_heads_, gradient.size(-3) / key_heads_}).sum(-3);
}

at::Tensor multiply_exactly(FusedAttention::Part /*part*/, Matmul matmul, const at::Tensor& first,
                            const at::Tensor& second) {
  return products::exact_product(matmul, first, second, first.scalar_type() == at::kDouble ? at::kDouble : at::kFloat);
}

}  // namespace ampprof::attention

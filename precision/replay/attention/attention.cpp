// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/attention/attention.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

namespace ampprof::attention {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

at::Tensor masked(const at::Tensor& scores, const Attention& attention) {
  at::Tensor seen = scores;
  if (attention.is_causal) seen = seen.masked_fill(attention.causal_mask().logical_not(), kMinusInfinity);
  const at::Tensor& mask = attention.mask;
  if (!mask.defined()) return seen;
  return mask.scalar_type() == at::kBool ? seen.masked_fill(mask.logical_not(), kMinusInfinity) : seen + mask;
}

/// Tells whether several query heads share one head of key and value. Kernels have no argument for this; the sizes show
/// it.
bool shares_heads(const products::Arguments& arguments) {
  if (arguments.find("enable_gqa") != nullptr) return arguments.is_on("enable_gqa");
  const at::Tensor query = arguments.tensor("query");
  return query.dim() > 2 && query.size(-3) != arguments.tensor("key").size(-3);
}

}  // namespace

Attention Attention::of(const products::Arguments& arguments) {
  const at::Tensor query = arguments.tensor("query");
  const bool is_grouped = shares_heads(arguments);
  const auto for_each_head = [&](const at::Tensor& tensor) {
    return is_grouped ? tensor.repeat_interleave(query.size(-3) / tensor.size(-3), -3) : tensor;
  };
  const at::Tensor mask = arguments.tensor("attn_mask");
  return {.query = query,
          .key = for_each_head(arguments.tensor("key")),
          .value = for_each_head(arguments.tensor("value")),
          .mask = mask.defined() ? mask : arguments.tensor("attn_bias"),
          .is_causal = arguments.is_on("is_causal"),
          .scale = arguments.number("scale", 1 / std::sqrt(static_cast<double>(query.size(-1)))),
          .dropout = arguments.number("dropout_p", 0)};
}

at::Tensor Attention::causal_mask() const {
  return at::ones({query.size(-2), key.size(-2)}, query.options().dtype(at::kBool)).tril(causal_offset);
}

at::Tensor Attention::weights(const at::Tensor& products) const {
  const at::Tensor wide = products.scalar_type() == at::kDouble ? products : products.to(at::kFloat);
  // A completely masked row is 0 as in LibTorch, not NaN.
  return at::_safe_softmax(masked(wide * scale, *this), -1);
}

}  // namespace ampprof::attention

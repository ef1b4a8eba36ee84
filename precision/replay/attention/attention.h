// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "precision/formats/products/arguments.h"

namespace ampprof::attention {

/// Holds what softmax(query · keyᵀ · scale + mask) · value is of. Tensors are [..., length, features], with a head of
/// key and value for each of the query.
struct Attention {
  at::Tensor query;
  at::Tensor key;
  at::Tensor value;
  at::Tensor mask;  ///< undefined where there is none
  bool is_causal = false;
  std::int64_t causal_offset = 0;  ///< keys beyond its own number that a query sees, where it is causal
  double scale = 1.0;
  double dropout = 0.0;  ///< share of weights that are dropped

  /// Reads them off a call of scaled_dot_product_attention(), or of a kernel that computes it at once.
  static Attention of(const products::Arguments& arguments);

  /// Returns which scores count, of what is causal: [query length, key length].
  at::Tensor causal_mask() const;
  /// Returns the softmax, in FP32 at least, of products [..., query length, key length] of query and keyᵀ.
  at::Tensor weights(const at::Tensor& products) const;
};

}  // namespace ampprof::attention

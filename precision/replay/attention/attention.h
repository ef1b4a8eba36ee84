// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "precision/formats/products/arguments.h"

namespace ampprof::attention {

/// Operands of softmax(query · keyᵀ · scale + mask) · value. Tensors are [..., length, features]; key and value have as
/// many heads as query.
struct Attention {
  at::Tensor query;
  at::Tensor key;
  at::Tensor value;
  at::Tensor mask;  ///< undefined if there is none
  bool is_causal = false;
  std::int64_t causal_offset = 0;  ///< for causal attention: number of keys that a query sees beyond its own position
  double scale = 1.0;
  double dropout = 0.0;  ///< share of the softmax weights that are dropped

  /// Reads a call of scaled_dot_product_attention(), or of a fused attention kernel.
  static Attention of(const products::Arguments& arguments);

  /// Returns a mask [query length, key length], true for the scores that causal attention uses.
  at::Tensor causal_mask() const;
  /// Returns the softmax, in FP32 or FP64, of the products [..., query length, key length] of query and keyᵀ.
  at::Tensor weights(const at::Tensor& products) const;
};

}  // namespace ampprof::attention

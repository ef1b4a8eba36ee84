// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "precision/formats/products/matmuls.h"

namespace ampprof::products {

/// A product a·b in the form of a linear layer's fprop, like at::matmul() for tensors with two or more dimensions.
class TwoMatrices {
 public:
  /// Tells which of the operands is W. A linear layer in C++ passes W as the view `weight.t()`.
  enum class Weight { None, First, Second };

  static Weight weight_among(const at::Tensor& a, const at::Tensor& b);

  TwoMatrices(const at::Tensor& a, const at::Tensor& b, Weight weight);

  const at::Tensor& input() const { return input_; }    ///< [leading, columns], or a batch of such matrices
  const at::Tensor& weight() const { return weight_; }  ///< [rows, columns], or a batch of such matrices
  Second second() const { return weight_is_ == Weight::None ? Second::Activation : Second::Weight; }

  /// Returns a·b from the layer's output.
  at::Tensor product_from(const at::Tensor& output) const;

 private:
  void flatten(const at::Tensor& a, const at::Tensor& b);
  void multiply_batches(const at::Tensor& a, const at::Tensor& b);

  Weight weight_is_;
  at::Tensor input_, weight_;
  std::vector<std::int64_t> output_sizes_;
};

}  // namespace ampprof::products

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>

#include "precision/formats/products/convolution_matrices.h"
#include "precision/formats/products/matmuls.h"
#include "precision/recipes/plan.h"

namespace amp::recipes {

using ampprof::products::Convolution;
using ampprof::products::Second;

/// Tensors of a layer for its forward and backward.
struct Operands {
  at::Tensor input;
  at::Tensor weight;
  std::optional<at::Tensor> bias = std::nullopt;
};

/// A linear layer or a convolution that computes its matmuls in recipes. x is [leading, columns] or a batch of such
/// matrices, W is [rows, columns]; for a convolution both are in LibTorch's layout. Results have the type of x. Matmuls
/// that have no recipe are left to LibTorch.
struct Layer {
  Formats formats;
  Second second = Second::Weight;
  std::optional<Convolution> convolution = std::nullopt;
  std::string place;  ///< key of the layer's histories in DelayedScales

  /// Returns y. The bias is added before rounding to the type of y.
  at::Tensor output(const Operands& operands) const;
  at::Tensor grad_input(const Operands& operands, const at::Tensor& dy) const;
  at::Tensor grad_weight(const Operands& operands, const at::Tensor& dy) const;
  at::Tensor grad_bias(const Operands& operands, const at::Tensor& dy) const;
};

}  // namespace amp::recipes

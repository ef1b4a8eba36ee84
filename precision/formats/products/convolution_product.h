// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "precision/formats/products/convolution_matrices.h"
#include "precision/formats/products/matmuls.h"

namespace ampprof::products {

// The three matmuls of a convolution, on tensors in LibTorch's layout: y from x and W, dx from dy and W, dW from dy and
// x. Sums are in IEEE FP32. Autograd records nothing.

/// Rounds the elements of the convolution's matrices and multiplies them. The result has the memory format of `first`.
/// If every element is rounded to the same value wherever it occurs in its matrix, the tensors themselves are rounded
/// and LibTorch convolves them, without an im2col matrix.
RoundedProduct convolution_product(const ConvolutionMatrices& convolution, const Recipe& recipe, Matmul matmul,
                                   const at::Tensor& first, const at::Tensor& second,
                                   const ProductSettings& settings = {});

/// Convolves the tensors without rounding, in `type`: FP32 or FP64.
at::Tensor exact_convolution_product(const ConvolutionMatrices& convolution, Matmul matmul, const at::Tensor& first,
                                     const at::Tensor& second, at::ScalarType type);

}  // namespace ampprof::products

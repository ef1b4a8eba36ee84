// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "precision/formats/products/convolution_matrices.h"
#include "precision/formats/products/matmuls.h"

namespace ampprof::products {

// One of the three matmuls of a convolution, of tensors as LibTorch has them: y of x and W, dx of dy and W, dW of dy and
// x. Sums are in IEEE FP32, and nothing is recorded for autograd.

/// Rounds what stands in the convolution's matrices, and gives what their product does, in the memory format of
/// `first`. Where each element of a tensor has one copy in its matrix, LibTorch convolves the copies: no matrix of
/// patches is made.
RoundedProduct convolution_product(const ConvolutionMatrices& convolution, const Recipe& recipe, Matmul matmul,
                                   const at::Tensor& first, const at::Tensor& second,
                                   const ProductSettings& settings = {});

/// Convolves the tensors as they are, in `type`: FP32 or FP64.
at::Tensor exact_convolution_product(const ConvolutionMatrices& convolution, Matmul matmul, const at::Tensor& first,
                                     const at::Tensor& second, at::ScalarType type);

}  // namespace ampprof::products

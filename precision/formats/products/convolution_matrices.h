// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "precision/formats/recipes/layer.h"

namespace ampprof::products {

/// Parameters of a convolution with one, two or three dimensions.
struct Convolution {
  std::vector<std::int64_t> stride = {};
  std::vector<std::int64_t> padding = {};
  std::vector<std::int64_t> dilation = {};
  bool is_transposed = false;
  std::vector<std::int64_t> output_padding = {};
  std::int64_t groups = 1;
};

/// Converts [images, channels, positions…] to [groups, images · positions, channels of a group].
at::Tensor by_position(const at::Tensor& tensor, std::int64_t groups);
/// Converts the matrix of by_position() back to `sizes`.
at::Tensor from_positions(const at::Tensor& matrix, c10::IntArrayRef sizes);

/// Maps a convolution to the matmuls of a linear layer (im2col): tensors to matrices [groups, …, …] and back. Each
/// function is linear in its argument. Autograd records nothing.
///
/// The columns of the weight's matrix are kernel positions, then input channels of a group; its rows are output
/// channels. The matrix of x has a row for each image and output position.
///
/// A transposed convolution computes y like the dx of a convolution: columns are input channels, and rows are kernel
/// positions, then output channels. The matrix of x has a row for each image and input position.
class ConvolutionMatrices {
 public:
  /// Takes the sizes of x [images, channels, positions…] and of W in LibTorch's layout. A parameter with one element
  /// applies to all dimensions.
  ConvolutionMatrices(c10::IntArrayRef input, c10::IntArrayRef weight, const Convolution& convolution);

  at::Tensor input(const at::Tensor& x) const;         ///< [groups, leading, columns]
  at::Tensor weight(const at::Tensor& w) const;        ///< [groups, rows, columns]
  at::Tensor grad_output(const at::Tensor& dy) const;  ///< [groups, leading, rows]

  at::Tensor output(const at::Tensor& y) const;        ///< y from its matrix [groups, leading, rows]
  at::Tensor grad_input(const at::Tensor& dx) const;   ///< dx from its matrix [groups, leading, columns]
  at::Tensor grad_weight(const at::Tensor& dw) const;  ///< dW from its matrix [groups, rows, columns]

  const std::vector<std::int64_t>& input_sizes() const { return input_; }
  const std::vector<std::int64_t>& weight_sizes() const { return weight_; }
  const std::vector<std::int64_t>& output_sizes() const { return output_; }
  /// Returns the sizes of one group, from which a recipe decides whether to quantize.
  recipes::LayerSizes sizes() const;
  /// Returns the parameters, with one element per dimension.
  const Convolution& convolution() const { return convolution_; }

 private:
  using Sizes = std::vector<std::int64_t>;

  at::Tensor patches_of(const at::Tensor& wide) const;
  at::Tensor sum_of_patches(const at::Tensor& patches, const Sizes& wide) const;

  Convolution convolution_;
  Sizes kernel_;
  Sizes weight_;
  Sizes input_, output_;
  Sizes places_;  ///< sizes of the tensor with one matrix row per position: y, or x of a transposed convolution
};

}  // namespace ampprof::products

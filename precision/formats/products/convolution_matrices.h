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

/// Converts [images, channels, places…] to [groups, images · places, channels of a group], and back.
at::Tensor by_place(const at::Tensor& tensor, std::int64_t groups);
at::Tensor from_places(const at::Tensor& matrix, c10::IntArrayRef sizes);

/// Maps a convolution to the matmuls of a linear layer: tensors to matrices [groups, …, …] and back (im2col). Each
/// function is linear in its argument. Autograd records nothing.
///
/// The columns of the weight's matrix are kernel places, then input channels of a group; its rows are output channels.
/// x's matrix has a row for each image and place of the output.
///
/// A transposed convolution computes its y like the dx of a convolution: columns are input channels, and rows are
/// kernel places, then output channels. x's matrix has a row for each image and place of the input.
class ConvolutionMatrices {
 public:
  /// Takes the sizes of x [images, channels, places…] and W in LibTorch's layout. Parameters of one element hold for
  /// each dimension.
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
  /// Returns the sizes of one group, on which recipes decide.
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
  Sizes places_;  ///< sizes of the tensor with one matrix row per place: y, or x of a transposed convolution
};

}  // namespace ampprof::products

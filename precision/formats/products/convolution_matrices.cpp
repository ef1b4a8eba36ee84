// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/products/convolution_matrices.h"

#include <ATen/ATen.h>

#include "precision/torch_hooks/aside.h"

namespace ampprof::products {
namespace {

using Sizes = std::vector<std::int64_t>;

void spread(Sizes& values, std::size_t dimensions, std::int64_t fallback) {
  if (values.empty()) values.assign(dimensions, fallback);
  if (values.size() < dimensions) values.resize(dimensions, values.front());
}

Convolution spread(Convolution convolution, std::size_t dimensions) {
  spread(convolution.stride, dimensions, 1);
  spread(convolution.padding, dimensions, 0);
  spread(convolution.dilation, dimensions, 1);
  spread(convolution.output_padding, dimensions, 0);
  return convolution;
}

std::int64_t output_size(std::int64_t input, std::int64_t kernel, const Convolution& by, std::size_t d) {
  const std::int64_t reach = by.dilation[d] * (kernel - 1);
  if (by.is_transposed) return (input - 1) * by.stride[d] - 2 * by.padding[d] + reach + by.output_padding[d] + 1;
  return (input + 2 * by.padding[d] - reach - 1) / by.stride[d] + 1;
}

Sizes with_padding(Sizes sizes, const Sizes& padding) {
  for (std::size_t d = 0; d < padding.size(); ++d) sizes[d + 2] += 2 * padding[d];
  return sizes;
}

std::int64_t product_of(const Sizes& sizes) {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes) product *= size;
  return product;
}

/// Returns the padding for at::constant_pad_nd(): two numbers per dimension, the last dimension first.
Sizes on_both_sides(const Sizes& padding) {
  Sizes both;
  for (auto one = padding.rbegin(); one != padding.rend(); ++one) both.insert(both.end(), {*one, *one});
  return both;
}

}  // namespace

at::Tensor by_position(const at::Tensor& tensor, std::int64_t groups) {
  const std::int64_t channels = tensor.size(1) / groups;
  return tensor.reshape({tensor.size(0), groups, channels, -1}).permute({1, 0, 3, 2}).reshape({groups, -1, channels});
}

at::Tensor from_positions(const at::Tensor& matrix, c10::IntArrayRef sizes) {
  return matrix.reshape({matrix.size(0), sizes[0], -1, matrix.size(2)}).permute({1, 0, 3, 2}).reshape(sizes);
}

ConvolutionMatrices::ConvolutionMatrices(c10::IntArrayRef input, c10::IntArrayRef weight,
                                         const Convolution& convolution)
    : convolution_(spread(convolution, weight.size() - 2)),
      kernel_(weight.begin() + 2, weight.end()),
      weight_(weight.vec()),
      input_(input.vec()),
      output_(input.vec()) {
  output_[1] = convolution.is_transposed ? weight[1] * convolution.groups : weight[0];
  for (std::size_t d = 0; d < kernel_.size(); ++d) {
    output_[d + 2] = output_size(input_[d + 2], kernel_[d], convolution_, d);
  }
  const Sizes& narrow = convolution_.is_transposed ? input_ : output_;
  places_.assign(narrow.begin() + 2, narrow.end());
}

recipes::LayerSizes ConvolutionMatrices::sizes() const {
  const std::int64_t patch = product_of(kernel_) * weight_[1];
  const std::int64_t narrow = weight_[0] / convolution_.groups;
  return {.rows = convolution_.is_transposed ? patch : narrow,
          .columns = convolution_.is_transposed ? narrow : patch,
          .leading = input_[0] * product_of(places_),
          .is_convolution = true};
}

/// Turns [images, channels, positions…] into [groups, images · positions, kernel positions · channels of a group].
at::Tensor ConvolutionMatrices::patches_of(const at::Tensor& wide) const {
  const at::Tensor padded = at::constant_pad_nd(wide, on_both_sides(convolution_.padding));
  const std::int64_t groups = convolution_.groups;
  const std::int64_t channels = wide.size(1) / groups;
  // Makes a view [groups, images, positions…, kernel positions…, channels of a group].
  Sizes sizes{groups, wide.size(0)};
  Sizes strides{channels * padded.stride(1), padded.stride(0)};
  for (std::size_t d = 0; d < places_.size(); ++d) {
    sizes.push_back(places_[d]);
    strides.push_back(padded.stride(static_cast<std::int64_t>(d) + 2) * convolution_.stride[d]);
  }
  for (std::size_t d = 0; d < kernel_.size(); ++d) {
    sizes.push_back(kernel_[d]);
    strides.push_back(padded.stride(static_cast<std::int64_t>(d) + 2) * convolution_.dilation[d]);
  }
  sizes.push_back(channels);
  strides.push_back(padded.stride(1));
  return padded.as_strided(sizes, strides, padded.storage_offset())
      .reshape({groups, wide.size(0) * product_of(places_), product_of(kernel_) * channels});
}

/// Transpose of patches_of(): adds up the values of all copies of an element, for a tensor of sizes `wide`.
at::Tensor ConvolutionMatrices::sum_of_patches(const at::Tensor& patches, const Sizes& wide) const {
  const std::int64_t groups = convolution_.groups;
  const std::int64_t channels = wide[1] / groups;
  const auto dimensions = static_cast<std::int64_t>(places_.size());
  Sizes sizes{groups, wide[0]};
  sizes.insert(sizes.end(), places_.begin(), places_.end());
  sizes.insert(sizes.end(), {product_of(kernel_), channels});
  const at::Tensor by_position = patches.reshape(sizes);
  const at::Tensor padded = at::zeros(with_padding(wide, convolution_.padding), patches.options());
  for (std::int64_t place = 0; place < product_of(kernel_); ++place) {
    at::Tensor target = padded;
    std::int64_t rest = place;
    for (std::int64_t d = dimensions - 1; d >= 0; --d) {
      const auto i = static_cast<std::size_t>(d);
      const std::int64_t first = rest % kernel_[i] * convolution_.dilation[i];
      rest /= kernel_[i];
      target =
          target.slice(d + 2, first, first + (places_[i] - 1) * convolution_.stride[i] + 1, convolution_.stride[i]);
    }
    // Turns [groups, images, positions…, channels] into [images, groups, channels, positions…].
    const at::Tensor values = by_position.select(dimensions + 2, place).movedim(-1, 2).transpose(0, 1);
    target.unflatten(1, c10::IntArrayRef{groups, channels}).add_(values);
  }
  at::Tensor inside = padded;
  for (std::int64_t d = 0; d < dimensions; ++d) {
    const auto i = static_cast<std::size_t>(d);
    inside = inside.narrow(d + 2, convolution_.padding[i], wide[i + 2]);
  }
  return inside.contiguous();
}

at::Tensor ConvolutionMatrices::input(const at::Tensor& x) const {
  const torch_hooks::Aside aside;
  return convolution_.is_transposed ? by_position(x, convolution_.groups) : patches_of(x);
}

at::Tensor ConvolutionMatrices::grad_output(const at::Tensor& dy) const {
  const torch_hooks::Aside aside;
  return convolution_.is_transposed ? patches_of(dy) : by_position(dy, convolution_.groups);
}

at::Tensor ConvolutionMatrices::output(const at::Tensor& y) const {
  const torch_hooks::Aside aside;
  return convolution_.is_transposed ? sum_of_patches(y, output_) : from_positions(y, output_);
}

at::Tensor ConvolutionMatrices::grad_input(const at::Tensor& dx) const {
  const torch_hooks::Aside aside;
  return convolution_.is_transposed ? from_positions(dx, input_) : sum_of_patches(dx, input_);
}

/// W in LibTorch is [output channels, input channels of a group, kernel positions…]; for a transposed convolution it is
/// [input channels, output channels of a group, kernel positions…].
at::Tensor ConvolutionMatrices::weight(const at::Tensor& w) const {
  const torch_hooks::Aside aside;
  const std::int64_t groups = convolution_.groups;
  const at::Tensor by_kernel = w.reshape({groups, w.size(0) / groups, w.size(1), -1}).transpose(2, 3);
  const at::Tensor matrix = by_kernel.reshape({groups, w.size(0) / groups, -1});
  return convolution_.is_transposed ? matrix.transpose(1, 2) : matrix;
}

at::Tensor ConvolutionMatrices::grad_weight(const at::Tensor& dw) const {
  const torch_hooks::Aside aside;
  const at::Tensor matrix = convolution_.is_transposed ? dw.transpose(1, 2) : dw;
  return matrix.reshape({weight_[0], product_of(kernel_), weight_[1]}).transpose(1, 2).reshape(weight_);
}

}  // namespace ampprof::products

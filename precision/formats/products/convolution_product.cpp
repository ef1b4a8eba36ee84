// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/products/convolution_product.h"

#include <ATen/ATen.h>

#include <array>

#include "precision/torch_hooks/aside.h"
#include "precision/torch_hooks/fp32_precision.h"

namespace ampprof::products {
namespace {

using recipes::Rounding;
using recipes::Transform;

/// Role of a tensor in a convolution.
enum class Role : std::uint8_t { Input, Weight, GradOutput };

/// The two operands of each matmul, in the order of kMatmuls.
constexpr std::array<std::array<Role, 2>, kMatmuls.size()> kRoles{{
    {Role::Input, Role::Weight},
    {Role::GradOutput, Role::Weight},
    {Role::GradOutput, Role::Input},
}};

/// One operand of one of the three matmuls.
class ConvolutionOperand {
 public:
  ConvolutionOperand(const ConvolutionMatrices& convolution, const Recipe& recipe, Matmul matmul, int which,
                     const ProductSettings& settings)
      : convolution_(convolution),
        operand_(operand_of(recipe, matmul, which, settings.second)),
        direction_(direction_of(matmul, which)),
        settings_(copy_settings(settings, which)),
        role_(kRoles[matmul_index(matmul)][static_cast<std::size_t>(which)]) {}

  at::Tensor matrix_copy(const at::Tensor& tensor) const { return copy(matrix_of(tensor)); }

  /// Tells whether every element of this tensor has the same rounded value wherever the element occurs in the im2col
  /// matrix.
  bool has_one_copy(const at::Tensor& tensor) const {
    if (operand_.transform != Transform::None) return false;  // a transform mixes elements along a row of the matrix
    if (role_ == Role::Weight || !has_patches()) return true;
    if (operand_.rounding != Rounding::NearestEven) return false;
    return !has_blocks() || (has_blocks_of_channels() && tensor.size(1) / groups() % operand_.block.along == 0);
  }

  /// Returns the rounded tensor in its own layout. Requires has_one_copy().
  at::Tensor tensor_copy(const at::Tensor& tensor) const {
    if (role_ == Role::Weight) return convolution_.grad_weight(matrix_copy(tensor));
    if (!has_blocks()) return copy(tensor.reshape({1, -1})).view(tensor.sizes());
    if (!has_blocks_of_channels()) return from_positions(copy(by_position(tensor, groups())), tensor.sizes());
    // With the channels as rows of one matrix per image, the tensor need not be permuted.
    const at::Tensor images = tensor.reshape({tensor.size(0) * groups(), tensor.size(1) / groups(), -1});
    return operand_copy(images, operand_, Direction::Columnwise, settings_).view(tensor.sizes());
  }

 private:
  std::int64_t groups() const { return convolution_.convolution().groups; }

  bool has_blocks() const { return operand_.block != recipes::BlockShape(); }

  /// Tells whether a block covers channels of one position. If these channels consist of whole blocks, a patch has the
  /// same blocks as the tensor.
  bool has_blocks_of_channels() const { return direction_ == Direction::Rowwise && operand_.block.across <= 1; }

  /// Tells whether an element occurs several times in the matrix, once per kernel position.
  bool has_patches() const {
    return role_ == (convolution_.convolution().is_transposed ? Role::GradOutput : Role::Input);
  }

  at::Tensor matrix_of(const at::Tensor& tensor) const {
    switch (role_) {
      case Role::Input:
        return convolution_.input(tensor);
      case Role::Weight:
        return convolution_.weight(tensor);
      case Role::GradOutput:
        return convolution_.grad_output(tensor);
    }
    return {};
  }

  at::Tensor copy(const at::Tensor& matrix) const { return operand_copy(matrix, operand_, direction_, settings_); }

  const ConvolutionMatrices& convolution_;
  const Operand operand_;
  const Direction direction_;
  const CopySettings settings_;
  const Role role_;
};

at::Tensor convolved(const ConvolutionMatrices& by, Matmul matmul, const at::Tensor& first, const at::Tensor& second) {
  const Convolution& c = by.convolution();
  if (matmul == Matmul::Fprop) {
    return at::convolution(first, second, {}, c.stride, c.padding, c.dilation, c.is_transposed, c.output_padding,
                           c.groups);
  }
  const bool is_dgrad = matmul == Matmul::Dgrad;
  const at::Tensor of_sizes_alone = at::empty(is_dgrad ? by.input_sizes() : by.weight_sizes(), first.options());
  const at::Tensor& x = is_dgrad ? of_sizes_alone : second;
  const at::Tensor& w = is_dgrad ? second : of_sizes_alone;
  const auto [dx, dw, unused] =
      at::convolution_backward(first, x, w, at::OptionalIntArrayRef(), c.stride, c.padding, c.dilation, c.is_transposed,
                               c.output_padding, c.groups, {is_dgrad, !is_dgrad, false});
  return is_dgrad ? dx : dw;
}

/// Convolves in FP64 if the program allows TF32 or BF16 inside FP32.
at::Tensor convolved_in_full(const ConvolutionMatrices& by, Matmul matmul, const at::Tensor& first,
                             const at::Tensor& second) {
  const bool may_shorten =
      torch_hooks::may_shorten(first.scalar_type(), first.device().type(), torch_hooks::Fp32Op::Convolution);
  if (!may_shorten) return convolved(by, matmul, first, second);
  return convolved(by, matmul, first.to(at::kDouble), second.to(at::kDouble)).to(at::kFloat);
}

/// Returns the values in the memory format of LibTorch's own result, since programs may rely on its strides: the format
/// of `first`, or contiguous for dW.
at::Tensor laid_out(Matmul matmul, const at::Tensor& values, const at::Tensor& first) {
  return matmul == Matmul::Wgrad ? values.contiguous() : values.contiguous(first.suggest_memory_format());
}

at::Tensor tensor_from(const ConvolutionMatrices& convolution, Matmul matmul, const at::Tensor& values) {
  switch (matmul) {
    case Matmul::Fprop:
      return convolution.output(values);
    case Matmul::Dgrad:
      return convolution.grad_input(values);
    case Matmul::Wgrad:
      return convolution.grad_weight(values);
    case Matmul::None:
      break;
  }
  return {};
}

}  // namespace

RoundedProduct convolution_product(const ConvolutionMatrices& convolution, const Recipe& recipe, Matmul matmul,
                                   const at::Tensor& first, const at::Tensor& second, const ProductSettings& settings) {
  const torch_hooks::Aside aside;
  const ConvolutionOperand a(convolution, recipe, matmul, 0, settings), b(convolution, recipe, matmul, 1, settings);
  if (a.has_one_copy(first) && b.has_one_copy(second)) {
    RoundedProduct made{a.tensor_copy(first), b.tensor_copy(second), {}};
    made.values = laid_out(matmul, convolved_in_full(convolution, matmul, made.first, made.second), first);
    return made;
  }
  const at::Tensor values = exact_product(matmul, a.matrix_copy(first), b.matrix_copy(second), at::kFloat);
  return {{}, {}, laid_out(matmul, tensor_from(convolution, matmul, values), first)};
}

at::Tensor exact_convolution_product(const ConvolutionMatrices& convolution, Matmul matmul, const at::Tensor& first,
                                     const at::Tensor& second, at::ScalarType type) {
  const torch_hooks::Aside aside;
  return convolved_in_full(convolution, matmul, first.to(type), second.to(type));
}

}  // namespace ampprof::products

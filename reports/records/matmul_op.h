// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ampprof {

/// Layout of the two operands of an op.
enum class MatmulForm : std::uint8_t {
  Matrices,               ///< [M,K] x [K,N]
  Batched,                ///< [batch,M,K] x [batch,K,N]
  Broadcast,              ///< any number of leading dimensions, broadcast
  Linear,                 ///< [...,K] x [N,K]
  Convolution,            ///< a convolution's input and weight
  TransposedConvolution,  ///< a convolution's input and weight
  AnyConvolution,         ///< its argument `transposed` selects Convolution or TransposedConvolution
};

/// The term that an op adds to its product.
enum class Addend : std::uint8_t {
  None,
  First,  ///< its first argument times beta, added to alpha times the product; beta and alpha follow the operands
  Bias,   ///< the argument after the operands, if present
};

/// An op that multiplies matrices. Recurrent networks and attention are not such ops, since they do more than multiply.
struct MatmulOp {
  std::string_view name;  ///< without namespace and overload
  MatmulForm form;
  std::size_t a;  ///< index of the argument A, or of the input; the next argument is B, or the weight
  Addend adds = Addend::None;
  bool is_of_layers = false;  ///< layers reach the dispatcher as this op, so `--what-if` with a recipe observes it
  bool is_backward = false;   ///< its argument 0 is the gradient of the output

  constexpr bool is_convolution() const { return form >= MatmulForm::Convolution; }
};

/// All matmul ops that ampprof knows. To add an op: a row here.
inline constexpr std::array kMatmulOps{
    MatmulOp{"mm", MatmulForm::Matrices, 0, Addend::None, true},
    MatmulOp{"addmm", MatmulForm::Matrices, 1, Addend::First, true},
    MatmulOp{"_addmm_activation", MatmulForm::Matrices, 1, Addend::First},
    MatmulOp{"_scaled_mm", MatmulForm::Matrices, 0},
    MatmulOp{"bmm", MatmulForm::Batched, 0, Addend::None, true},
    MatmulOp{"baddbmm", MatmulForm::Batched, 1, Addend::First, true},
    MatmulOp{"addbmm", MatmulForm::Batched, 1, Addend::First},
    MatmulOp{"matmul", MatmulForm::Broadcast, 0},
    MatmulOp{"linear", MatmulForm::Linear, 0, Addend::Bias},
    MatmulOp{"conv1d", MatmulForm::Convolution, 0, Addend::Bias},
    MatmulOp{"conv2d", MatmulForm::Convolution, 0, Addend::Bias},
    MatmulOp{"conv3d", MatmulForm::Convolution, 0, Addend::Bias},
    MatmulOp{"conv_transpose1d", MatmulForm::TransposedConvolution, 0, Addend::Bias},
    MatmulOp{"conv_transpose2d", MatmulForm::TransposedConvolution, 0, Addend::Bias},
    MatmulOp{"conv_transpose3d", MatmulForm::TransposedConvolution, 0, Addend::Bias},
    MatmulOp{"convolution", MatmulForm::AnyConvolution, 0, Addend::Bias, true},
    MatmulOp{"_convolution", MatmulForm::AnyConvolution, 0, Addend::Bias},
    MatmulOp{"cudnn_convolution", MatmulForm::Convolution, 0},
    MatmulOp{"cudnn_convolution_transpose", MatmulForm::TransposedConvolution, 0},
    MatmulOp{"convolution_backward", MatmulForm::AnyConvolution, 1, Addend::None, true, true},
};

/// Returns the op with a name ("addmm"); null for other ops.
constexpr const MatmulOp* matmul_op(std::string_view name) {
  const auto* const found = std::ranges::find(kMatmulOps, name, &MatmulOp::name);
  return found == kMatmulOps.end() ? nullptr : found;
}

/// Returns whether an op ("lstm", "gru_cell") is a recurrent network. No recipe applies to the matmuls inside it.
constexpr bool is_recurrent(std::string_view name) {
  return name.starts_with("lstm") || name.starts_with("gru") || name.starts_with("rnn");
}

}  // namespace ampprof

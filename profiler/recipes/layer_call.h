// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "precision/formats/products/convolution_matrices.h"
#include "precision/formats/products/matmuls.h"
#include "reports/records/matmul.h"

namespace ampprof::profiler {

/// Returns whether an op, such as "aten::mm", is a layer: multiplies an activation by a weight or by another
/// activation.
bool is_layer_op(std::string_view name);
/// Returns whether calls of an op in backward compute a layer's dgrad, its wgrad or both.
bool is_backward_of_layer_op(std::string_view name);

/// A forward call as y = x Wᵀ, with x [leading, columns] and W [rows, columns], or a batch of these. In a product of
/// two activations, the second activation is Wᵀ. Tensors of a convolution keep LibTorch's layout.
class LayerCall {
 public:
  /// Returns the call in this form; empty for an op that is not a layer op, for an operand that has no elements, is a
  /// vector or is not floating point, and for a convolution without a batch dimension.
  static std::optional<LayerCall> of(std::string_view name, c10::ArrayRef<c10::IValue> arguments);

  // Indices of x and W among the arguments.
  std::size_t input_at() const { return input_at_; }
  std::size_t weight_at() const { return weight_at_; }
  products::Second second() const { return second_; }
  const std::optional<products::ConvolutionMatrices>& convolution() const { return convolution_; }

  /// Converts the argument x to the matrix x. weight() does the same for W.
  at::Tensor input(const at::Tensor& argument) const;
  at::Tensor weight(const at::Tensor& argument) const;
  /// Returns the call's result from y: adds the bias, or the tensor that addmm adds.
  at::Tensor result(const at::Tensor& y, c10::ArrayRef<c10::IValue> arguments) const;

  /// Returns the gradient of y from the gradient of the call's result.
  at::Tensor gradient(const at::Tensor& of_result, c10::ArrayRef<c10::IValue> arguments) const;

  /// Converts a matrix x to the layout of its argument. as_weight() does the same for W.
  at::Tensor as_input(const at::Tensor& matrix) const;
  at::Tensor as_weight(const at::Tensor& matrix) const;

 private:
  std::size_t input_at_ = 0;
  std::size_t weight_at_ = 1;
  std::optional<std::size_t> added_at_ = {};  ///< index of the bias argument, or of the tensor that addmm adds
  bool has_factors_ = false;                  ///< the call has addmm's beta and alpha
  bool is_weight_first_ = false;              ///< the call computes yᵀ = W xᵀ
  products::Second second_ = products::Second::Weight;
  std::optional<products::ConvolutionMatrices> convolution_ = {};
};

/// Returns the product of two operands in a recipe: a matmul, or `convolution` if set.
products::RoundedProduct rounded_product(const std::optional<products::ConvolutionMatrices>& convolution,
                                         const recipes::Recipe& recipe, Matmul matmul, const at::Tensor& first,
                                         const at::Tensor& second, const products::ProductSettings& settings);

/// Memory addresses from which backward_matmuls() recognizes the operands of a layer's forward call.
struct SeenLayer {
  const void* input = nullptr;  ///< memory of x if the call's autograd node saves x; else null
  const void* weight = nullptr;
  products::Second second = products::Second::Weight;
};

/// A matmul in the backward of a layer.
struct BackwardMatmul {
  Matmul matmul = Matmul::Dgrad;
  at::Tensor grad_output;  ///< [leading, rows], or a batch of these; LibTorch's layout in a convolution
  at::Tensor other;        ///< W [rows, columns] for dgrad, x [leading, columns] for wgrad, or a batch
  at::Tensor output;       ///< result of the call, in its own layout
  bool is_transposed = false;
  std::optional<products::ConvolutionMatrices> convolution = {};

  /// Converts a product of the two operands to the layout of the call's result.
  at::Tensor result(const at::Tensor& product) const;
};

/// Returns the matmuls of a backward call in the autograd node of a layer. The operand that is not a gradient is in the
/// memory of W for dgrad, and in the memory of x for wgrad.
std::vector<BackwardMatmul> backward_matmuls(std::string_view name, c10::ArrayRef<c10::IValue> arguments,
                                             c10::ArrayRef<c10::IValue> returned, const SeenLayer& layer);

/// Returns the address of the first element; null if there is none. A transposed view has the same address. Slices of
/// one storage, such as q and k, have different addresses.
const void* memory_of(const at::Tensor& tensor);

}  // namespace ampprof::profiler

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

/// Returns whether calls of an op ("aten::mm") are matmuls of layers, or of two activations.
bool is_layer_op(std::string_view name);
/// Returns whether calls of an op in backward are dgrad, wgrad or both.
bool is_backward_of_layer_op(std::string_view name);

/// A call of the forward as y = x Wᵀ, with x [leading, columns] and W [rows, columns], or a batch of these. In a
/// product of two activations, the second one is Wᵀ. Tensors of a convolution have LibTorch's layout.
class LayerCall {
 public:
  /// Returns empty for a call without such a matmul: without elements, of a vector, or of types that are not floating
  /// point.
  static std::optional<LayerCall> of(std::string_view name, c10::ArrayRef<c10::IValue> arguments);

  // Positions of x and W among the arguments.
  std::size_t input_at() const { return input_at_; }
  std::size_t weight_at() const { return weight_at_; }
  products::Second second() const { return second_; }
  const std::optional<products::ConvolutionMatrices>& convolution() const { return convolution_; }

  /// Return the arguments x and W as matrices.
  at::Tensor input(const at::Tensor& argument) const;
  at::Tensor weight(const at::Tensor& argument) const;
  /// Returns the call's result for a y: adds the bias or the other tensor that the call adds.
  at::Tensor result(const at::Tensor& y, c10::ArrayRef<c10::IValue> arguments) const;

  /// Returns the gradient of y for the gradient `of_result` of the call's result.
  at::Tensor gradient(const at::Tensor& of_result, c10::ArrayRef<c10::IValue> arguments) const;

  /// Return a matrix in the layout of its argument.
  at::Tensor as_input(const at::Tensor& matrix) const;
  at::Tensor as_weight(const at::Tensor& matrix) const;

 private:
  std::size_t input_at_ = 0;
  std::size_t weight_at_ = 1;
  std::optional<std::size_t> added_at_ = {};  ///< a bias, or the tensor that addmm adds
  bool has_factors_ = false;                  ///< beta and alpha of addmm
  bool is_weight_first_ = false;              ///< the call computes yᵀ = W xᵀ
  products::Second second_ = products::Second::Weight;
  std::optional<products::ConvolutionMatrices> convolution_ = {};
};

/// Returns a recipe's product of two operands, or of a convolution if there is one.
products::RoundedProduct rounded_product(const std::optional<products::ConvolutionMatrices>& convolution,
                                         const recipes::Recipe& recipe, Matmul matmul, const at::Tensor& first,
                                         const at::Tensor& second, const products::ProductSettings& settings);

/// Identifies the backward of a layer's call.
struct SeenLayer {
  const void* input = nullptr;  ///< memory of x, if the node keeps it until it is evaluated; else null
  const void* weight = nullptr;
  products::Second second = products::Second::Weight;
};

/// A matmul in the backward of a layer.
struct BackwardMatmul {
  Matmul matmul = Matmul::Dgrad;
  at::Tensor grad_output;  ///< a matrix [leading, rows], or a batch of these; a convolution's own layout
  at::Tensor other;        ///< W for dgrad, x for wgrad, likewise
  at::Tensor output;       ///< of the call, in its own layout
  bool is_transposed = false;
  std::optional<products::ConvolutionMatrices> convolution = {};

  /// Returns a product of the two operands in the layout of the call's result.
  at::Tensor result(const at::Tensor& product) const;
};

/// Returns the matmuls of a backward call inside the node of a layer. The operand that is not a gradient distinguishes
/// dgrad and wgrad: it lies in the memory of W or in that of x.
std::vector<BackwardMatmul> backward_matmuls(std::string_view name, c10::ArrayRef<c10::IValue> arguments,
                                             c10::ArrayRef<c10::IValue> returned, const SeenLayer& layer);

/// Returns the address of the first element. A transposed view has the same address; q and k that share memory have
/// different ones.
const void* memory_of(const at::Tensor& tensor);

}  // namespace ampprof::profiler

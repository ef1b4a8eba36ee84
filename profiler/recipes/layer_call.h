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

/// A call of the forward seen as y = x Wᵀ, with x [leading, columns] and W [rows, columns], or as a batch of those. Of
/// a product of two activations the second is Wᵀ. Tensors of a convolution are as LibTorch has them.
class LayerCall {
 public:
  /// Empty where the call has no such matmul: of no element, of a vector, of other types than floating ones.
  static std::optional<LayerCall> of(std::string_view name, c10::ArrayRef<c10::IValue> arguments);

  // Which of the arguments are x and W.
  std::size_t input_at() const { return input_at_; }
  std::size_t weight_at() const { return weight_at_; }
  products::Second second() const { return second_; }
  const std::optional<products::ConvolutionMatrices>& convolution() const { return convolution_; }

  /// Return the matrices of the arguments x and W.
  at::Tensor input(const at::Tensor& argument) const;
  at::Tensor weight(const at::Tensor& argument) const;
  /// Returns what the call gives for a y, with what it adds to it.
  at::Tensor result(const at::Tensor& y, c10::ArrayRef<c10::IValue> arguments) const;

  /// Returns the gradient of y where that of what the call gives is `of_result`.
  at::Tensor gradient(const at::Tensor& of_result, c10::ArrayRef<c10::IValue> arguments) const;

  /// Return a matrix as the argument that it was made of has it.
  at::Tensor as_input(const at::Tensor& matrix) const;
  at::Tensor as_weight(const at::Tensor& matrix) const;

 private:
  std::size_t input_at_ = 0;
  std::size_t weight_at_ = 1;
  std::optional<std::size_t> added_at_ = {};  ///< a bias, or what addmm adds
  bool has_factors_ = false;                  ///< addmm's beta and alpha
  bool is_weight_first_ = false;              ///< then yᵀ = W xᵀ is what is computed
  products::Second second_ = products::Second::Weight;
  std::optional<products::ConvolutionMatrices> convolution_ = {};
};

/// Returns a recipe's product of two operands, of a convolution where there is one.
products::RoundedProduct rounded_product(const std::optional<products::ConvolutionMatrices>& convolution,
                                         const recipes::Recipe& recipe, Matmul matmul, const at::Tensor& first,
                                         const at::Tensor& second, const products::ProductSettings& settings);

/// Keeps of a layer's call what tells its backward.
struct SeenLayer {
  const void* input = nullptr;  ///< memory of x, kept by the node as long as this is asked for; null where it is not
  const void* weight = nullptr;
  products::Second second = products::Second::Weight;
};

/// One of a layer's matmuls in backward.
struct BackwardMatmul {
  Matmul matmul = Matmul::Dgrad;
  at::Tensor grad_output;  ///< as a matrix [leading, rows], or a batch of those; of a convolution as it is
  at::Tensor other;        ///< of dgrad W, of wgrad x, likewise
  at::Tensor output;       ///< that the call gave, as it is
  bool is_transposed = false;
  std::optional<products::ConvolutionMatrices> convolution = {};

  /// Returns a product of the two as the call gives it.
  at::Tensor result(const at::Tensor& product) const;
};

/// Returns the matmuls of a call of backward inside the node of a layer. Dgrad and wgrad are told apart by the operand
/// that is no gradient: it lies in the memory of W, or in that of x.
std::vector<BackwardMatmul> backward_matmuls(std::string_view name, c10::ArrayRef<c10::IValue> arguments,
                                             c10::ArrayRef<c10::IValue> returned, const SeenLayer& layer);

/// Returns where its first element lies, which a transposed view of it shares; of q and k in one memory it is not the
/// same.
const void* memory_of(const at::Tensor& tensor);

}  // namespace ampprof::profiler

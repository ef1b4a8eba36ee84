// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/util/FunctionRef.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "precision/formats/recipes/layer.h"
#include "precision/replay/attention/attention.h"
#include "reports/records/matmul.h"

namespace c10 {
struct FunctionSchema;
}

namespace ampprof::attention {

/// Returns the number of elements of scores, weights and their gradients in a forward or backward call.
std::int64_t elements_of_scores(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments);

/// Splits fused attention into two layers on batches of matrices: S = q kᵀ (Scores) and O = P v (Results), with P =
/// softmax(S) between them. Tensors are [..., length, features].
class FusedAttention {
 public:
  enum class Part : std::uint8_t { Scores, Results };
  static constexpr std::array kParts{Part::Scores, Part::Results};
  /// Computes one of the matmuls, on matrices in the form of products::product().
  using Multiply =
      c10::function_ref<at::Tensor(Part part, Matmul matmul, const at::Tensor& first, const at::Tensor& second)>;

  /// Splits a forward or backward call. Empty with dropout, whose mask the kernel draws internally, and for scaled FP8
  /// operands.
  static std::optional<FusedAttention> of(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments);

  const Attention& tensors() const { return attention_; }

  /// Returns the sizes from which a recipe decides whether to quantize.
  recipes::LayerSizes sizes(Part part) const;
  /// Returns the number of matrices in a batch, each with the sizes of sizes().
  std::int64_t groups() const;

  at::Tensor output(Multiply multiply) const;
  /// Returns the product of the fprop of Part::Results in the layout of the call's output.
  at::Tensor as_output(const at::Tensor& product) const;
  /// Returns a matrix in the layout of query: the x of Part::Scores, its rounded copy, or its gradient. as_key() does
  /// the same for W and key.
  at::Tensor as_query(const at::Tensor& matrix) const;
  at::Tensor as_key(const at::Tensor& matrix) const;

  /// Returns the gradient of query, key or value, selected by its argument index (kernels.h), for the output gradient
  /// `of_output`. Each needs one dgrad and one wgrad product, except value, whose gradient needs only a wgrad.
  at::Tensor gradient(std::size_t argument, const at::Tensor& of_output, Multiply multiply) const;

 private:
  FusedAttention(Attention attention, std::int64_t key_heads)
      : attention_(std::move(attention)), key_heads_(key_heads) {}

  at::Tensor weights(Multiply multiply) const;
  at::Tensor of_key_heads(const at::Tensor& gradient) const;

  Attention attention_;
  std::int64_t key_heads_;  ///< key heads in the call: fewer than the query's if several query heads share one
};

/// Multiplies operands without rounding, in FP64 if the first one is FP64, else in FP32.
at::Tensor multiply_exactly(FusedAttention::Part part, Matmul matmul, const at::Tensor& first,
                            const at::Tensor& second);

}  // namespace ampprof::attention

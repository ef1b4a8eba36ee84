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

/// Returns the number of elements of scores, weights and their gradients in a call of the forward or the backward.
std::int64_t elements_of_scores(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments);

/// Splits fused attention into two products: S = q kᵀ and O = P v are two layers on batches of matrices, with P =
/// softmax(S) between them. Tensors are [..., length, features].
class FusedAttention {
 public:
  enum class Part : std::uint8_t { Scores, Results };
  static constexpr std::array kParts{Part::Scores, Part::Results};
  /// Computes one of the products, on matrices in the form of products::product().
  using Multiply =
      c10::function_ref<at::Tensor(Part part, Matmul matmul, const at::Tensor& first, const at::Tensor& second)>;

  /// Splits a call of the forward or of the backward. Empty with dropout, whose mask the kernel draws inside, and for
  /// scaled FP8 operands.
  static std::optional<FusedAttention> of(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments);

  const Attention& tensors() const { return attention_; }

  /// Returns the sizes on which recipes decide; groups() is the number of products of these sizes.
  recipes::LayerSizes sizes(Part part) const;
  std::int64_t groups() const;

  at::Tensor output(Multiply multiply) const;
  /// Returns a fprop of Results in the layout of the call's output.
  at::Tensor as_output(const at::Tensor& product) const;
  /// Return a matrix of the fprop of Scores in the layout of query or key.
  at::Tensor as_query(const at::Tensor& matrix) const;
  at::Tensor as_key(const at::Tensor& matrix) const;

  /// Returns the gradient of query, key or value, by its place (kernels.h), for the output gradient `of_output`. Each
  /// needs one product of dgrad and one of wgrad, except value, whose gradient is a wgrad only.
  at::Tensor gradient(std::size_t argument, const at::Tensor& of_output, Multiply multiply) const;

 private:
  FusedAttention(Attention attention, std::int64_t key_heads)
      : attention_(std::move(attention)), key_heads_(key_heads) {}

  at::Tensor weights(Multiply multiply) const;
  at::Tensor of_key_heads(const at::Tensor& gradient) const;

  Attention attention_;
  std::int64_t key_heads_;  ///< of the call: fewer than the query's if several heads share one
};

/// Multiplies operands without rounding, in FP64 if the first one is FP64, else in FP32.
at::Tensor multiply_exactly(FusedAttention::Part part, Matmul matmul, const at::Tensor& first,
                            const at::Tensor& second);

}  // namespace ampprof::attention

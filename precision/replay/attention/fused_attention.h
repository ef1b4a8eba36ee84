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

/// Returns how many elements scores, weights and the gradient of either have in a call of the forward or the backward.
std::int64_t elements_of_scores(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments);

/// Attention that one kernel computes, taken apart: S = q kᵀ and O = P v are two layers, of batches of matrices, with
/// P = softmax(S) between them. On tensors [..., length, features].
class FusedAttention {
 public:
  enum class Part : std::uint8_t { Scores, Results };
  static constexpr std::array kParts{Part::Scores, Part::Results};
  /// Gives one of its products, of matrices as products::product() takes them.
  using Multiply =
      c10::function_ref<at::Tensor(Part part, Matmul matmul, const at::Tensor& first, const at::Tensor& second)>;

  /// Returns a call of the forward or of the backward so. Empty where weights are dropped, which the kernel draws,
  /// and where operands are scaled FP8.
  static std::optional<FusedAttention> of(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> arguments);

  const Attention& tensors() const { return attention_; }

  /// Returns what a recipe decides on, and how many products of these sizes there are.
  recipes::LayerSizes sizes(Part part) const;
  std::int64_t groups() const;

  at::Tensor output(Multiply multiply) const;
  /// Returns a fprop of Results as the call gives it.
  at::Tensor as_output(const at::Tensor& product) const;
  /// Return a matrix of the fprop of Scores as query or key have it.
  at::Tensor as_query(const at::Tensor& matrix) const;
  at::Tensor as_key(const at::Tensor& matrix) const;

  /// Returns the gradient of query, key or value, by its place (kernels.h), where that of the output is `of_output`. A
  /// product of dgrad and one of wgrad are multiplied for each, but for value, whose gradient is a wgrad alone.
  at::Tensor gradient(std::size_t argument, const at::Tensor& of_output, Multiply multiply) const;

 private:
  FusedAttention(Attention attention, std::int64_t key_heads)
      : attention_(std::move(attention)), key_heads_(key_heads) {}

  at::Tensor weights(Multiply multiply) const;
  at::Tensor of_key_heads(const at::Tensor& gradient) const;

  Attention attention_;
  std::int64_t key_heads_;  ///< that the call has: fewer than the query's where several share one
};

/// Multiplies operands as they are, in FP64 where the first is, else in FP32.
at::Tensor multiply_exactly(FusedAttention::Part part, Matmul matmul, const at::Tensor& first,
                            const at::Tensor& second);

}  // namespace ampprof::attention

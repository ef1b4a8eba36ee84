// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/records/matmul.h"

namespace ampprof {

/// Records of the effect of recipes below 16 bits on a layer's matmuls.

/// The rounding loss of an operand, over the values that the matmul reads; if the recipe transforms the operand, in the
/// transformed basis. Merging the losses of two parts gives the loss of the whole (sums up to rounding).
struct OperandRounding {
  std::int64_t count = 0;
  std::int64_t nonfinite = 0;  ///< NaN or inf before or after rounding; not part of the sums
  std::int64_t flushed = 0;    ///< nonzero before rounding, zero after it
  std::int64_t saturated = 0;  ///< after scaling, above the largest value; includes inf, not NaN
  double amax = 0.0;           ///< largest magnitude before rounding; includes inf, not NaN
  double sum_sq = 0.0;         ///< over the values before rounding
  double sum_sq_error = 0.0;   ///< of the differences (after - before)

  void merge(const OperandRounding& other);
  /// Returns the signal-to-quantization-noise ratio in dB; empty without noise or without a signal.
  std::optional<double> sqnr_db() const;
  std::optional<double> flushed_share() const;
  std::optional<double> saturated_share() const;

  bool operator==(const OperandRounding&) const = default;
};

/// One matmul of a forward call site in one segment, as a recipe would compute it, compared with the exact product of
/// the same operands.
struct RecipeMatmul {
  std::int64_t segment = 0;
  std::string recipe;
  std::int64_t call_site = 0;  ///< id of the forward call site
  Matmul matmul = Matmul::Fprop;
  std::int64_t computed_by = 0;  ///< call site that computes it; for dgrad and wgrad, a backward call site
  bool is_quantized = true;      ///< false: the recipe leaves it in high precision, without operands
  bool has_hardware = true;      ///< false: no current GPU supports it in the recipe's types
  std::string reason = {};       ///< a sentence; "" if it is quantized as usual
  std::int64_t rows = 0;         ///< output features of the weight
  std::int64_t columns = 0;      ///< input features of the weight
  std::int64_t leading = 0;      ///< product of the input's leading dimensions
  std::int64_t groups = 1;       ///< number of products of these sizes in a call
  std::int64_t calls = 0;
  OperandRounding first = {};   ///< rounding loss of the input; for dgrad, of grad_output
  OperandRounding second = {};  ///< rounding loss of the weight; for wgrad, of grad_output
  double sum_sq_error = 0.0;  ///< error of the product
  double sum_sq_exact = 0.0;

  /// Adds another call of the same matmul. If only one of the two calls is quantized, keeps the facts of that call: the
  /// size of a last batch may not be a multiple that the recipe needs.
  void merge(const RecipeMatmul& other);
  bool operator==(const RecipeMatmul&) const = default;
};

}  // namespace ampprof

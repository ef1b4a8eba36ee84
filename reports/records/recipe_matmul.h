// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/records/matmul.h"

namespace ampprof {

/// Records of what a recipe below 16 bits would do to a layer's matmuls.

/// Counts and sums what an operand loses where it is rounded, of the values that the matmul reads: behind a transform,
/// in its basis. Parts merge to the whole, sums up to rounding.
struct OperandLoss {
  std::int64_t count = 0;
  std::int64_t nonfinite = 0;  ///< NaN or inf before or after; in none of the sums
  std::int64_t flushed = 0;    ///< not zero before, zero after
  std::int64_t saturated = 0;  ///< with a scale, too large to be rounded to its largest value; inf counts, NaN not
  double amax = 0.0;           ///< largest magnitude before; inf counts, NaN not
  double sum_sq = 0.0;         ///< of values before
  double sum_sq_error = 0.0;   ///< of values after less those before

  void merge(const OperandLoss& other);
  /// Returns signal over quantization noise in dB; empty where nothing was lost, or nothing was there.
  std::optional<double> sqnr_db() const;
  std::optional<double> flushed_share() const;
  std::optional<double> saturated_share() const;

  bool operator==(const OperandLoss&) const = default;
};

/// One matmul of a forward call site in one segment, as a recipe would compute it, against the exact product of the
/// same operands.
struct RecipeMatmul {
  std::int64_t segment = 0;
  std::string recipe;
  std::int64_t call_site = 0;  ///< of the forward call
  Matmul matmul = Matmul::Fprop;
  std::int64_t computed_by = 0;  ///< call site that computes it: of dgrad and wgrad a backward one
  bool is_quantized = true;      ///< false: the recipe leaves it in high precision, and there are no operands
  bool has_hardware = true;      ///< false: no GPU of today has it in the recipe's types
  std::string reason = {};       ///< a sentence; "" where it is quantized as any other
  std::int64_t rows = 0;         ///< of the weight: output features
  std::int64_t columns = 0;      ///< of the weight: input features
  std::int64_t leading = 0;      ///< product of the input's leading dimensions
  std::int64_t groups = 1;       ///< products of these sizes
  std::int64_t calls = 0;
  OperandLoss first = {};     ///< input; of dgrad grad_output
  OperandLoss second = {};    ///< weight; of wgrad grad_output
  double sum_sq_error = 0.0;  ///< of the product less the exact one
  double sum_sq_exact = 0.0;

  /// Adds another call of the same matmul. One that is quantized says what both are: a last batch may miss a multiple.
  void merge(const RecipeMatmul& other);
  bool operator==(const RecipeMatmul&) const = default;
};

}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ampprof::quantize {

/// Counts and sums what an operand loses where it is quantized, of the values that the matmul reads: behind a
/// transform, in its basis. Statistics of parts merge to those of the whole, the sums up to rounding.
struct OperandStatistics {
  std::int64_t count = 0;
  std::int64_t nonfinite = 0;  ///< NaN or inf before or after; in none of the sums
  std::int64_t flushed = 0;    ///< not zero before, zero after
  std::int64_t saturated =
      0;                ///< in a type with a scale, too large to be rounded to its largest value; inf counts, NaN not
  double amax = 0.0;    ///< largest magnitude before; inf counts, NaN not
  double sum_sq = 0.0;  ///< of values before
  double sum_sq_error = 0.0;  ///< of values after less those before

  void merge(const OperandStatistics& other) {
    count += other.count;
    nonfinite += other.nonfinite;
    flushed += other.flushed;
    saturated += other.saturated;
    amax = std::max(amax, other.amax);
    sum_sq += other.sum_sq;
    sum_sq_error += other.sum_sq_error;
  }

  /// Signal to quantization noise in dB; inf where nothing was lost, NaN where there was nothing to lose.
  double sqnr_db() const { return 10.0 * std::log10(sum_sq / sum_sq_error); }

  bool operator==(const OperandStatistics&) const = default;
};

}  // namespace ampprof::quantize

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof {

/// How far an output as executed (y) diverges from its high-precision reference (r).
///
/// Only pairs where both are finite are summed; the others are counted in `excluded`. Stats add up: merging the stats
/// of two parts gives the stats of the whole, so tensors can be compared in chunks and calls pooled.
struct ErrorStats {
  std::int64_t count = 0;         ///< finite pairs
  std::int64_t excluded = 0;      ///< pairs with a NaN or inf on either side
  std::int64_t flushed = 0;       ///< finite pairs with r != 0 but y == 0
  double max_abs = 0.0;           ///< largest |y - r|
  double max_ulp = 0.0;           ///< largest |y - r| in ulp of y's type at r
  double sum_ulp = 0.0;           ///< sum of |y - r| in ulp of y's type at r
  double sum_sq_error = 0.0;      ///< sum of (y - r)^2
  double sum_sq_reference = 0.0;  ///< sum of r^2
  double sum_sq_output = 0.0;     ///< sum of y^2
  double sum_product = 0.0;       ///< sum of y r

  void merge(const ErrorStats& other);

  /// ||y - r|| / ||r||; 0 if both norms are 0, infinity if only the second is.
  double relative_l2() const;
  /// <y, r> / (||y|| ||r||); 1 if both norms are 0, 0 if only one is.
  double cosine() const;
  /// Mean |y - r| in ulp; 0 without pairs.
  double mean_ulp() const;

  bool operator==(const ErrorStats&) const = default;
};

/// Where the values of an output lie, and how its reference (itself, where there is none) fares in FP16. Adds up too.
struct RangeStats {
  std::int64_t count = 0;           ///< elements of y
  std::int64_t nonfinite = 0;       ///< NaN or inf in y
  double amax = 0.0;                ///< largest finite |y|; 0 without one
  double smallest = 0.0;            ///< smallest finite non-zero |y|; 0 without one
  double reference_amax = 0.0;      ///< largest finite |r|
  std::int64_t rounds_to_inf = 0;   ///< |r| >= 65520, inf included, NaN not
  std::int64_t subnormal = 0;       ///< 0 < |r| < 2^-14
  std::int64_t rounds_to_zero = 0;  ///< 0 < |r| <= 2^-25

  void merge(const RangeStats& other);

  bool operator==(const RangeStats&) const = default;
};

}  // namespace ampprof

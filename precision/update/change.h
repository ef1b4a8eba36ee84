// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "precision/error/accumulator.h"
#include "precision/formats/types/everywhere.h"
#include "precision/formats/types/spacing.h"

/// Counts what an update did to the elements of a weight, one by one. It compiles for both processors.
namespace ampprof::update {

/// Counts of elements, as threads add to them. All zero is that of none.
template <typename Counter>
struct BasicChange {
  Counter count;           ///< the update is not zero
  Counter lost;            ///< of those, the weight stayed as it was
  Counter below_half_ulp;  ///< of those, |update| < ulp(weight) / 2
  double sum_ulp;          ///< sum of |update| / ulp(weight)
};

/// Lies in device memory: the type of CUDA's atomics.
using DeviceChange = BasicChange<unsigned long long>;

/// Returns 1 / ulp(value): the exponent is read from the bits, and written into those of the result.
AMPPROF_EVERYWHERE inline double inverse_ulp(double value, error::Spacing spacing) {
  namespace bits = error::cuda::bits;
  const std::int64_t exponent = ((bits::of(value) & bits::kMagnitude) >> bits::kMantissa) - 1023;
  const std::int64_t raised = exponent > spacing.min_exponent ? exponent : spacing.min_exponent;
  return bits::value((1023 + spacing.mantissa_bits - raised) << bits::kMantissa);
}

/// Adds an element that was `from` and became `to`, where the update should have made `wanted` of it.
template <typename Counter>
AMPPROF_EVERYWHERE void add_element(BasicChange<Counter>& change, double from, double to, double wanted,
                                    error::Spacing spacing) {
  const double update = wanted - from;
  if (update == 0.0 ||
      (error::cuda::bits::of(update) & error::cuda::bits::kMagnitude) >= error::cuda::bits::kInfinity) {
    return;
  }
  // Beside a weight of 0 any update is infinitely many of its ulps.
  const double ulps = fabs(update) * inverse_ulp(from == 0.0 ? wanted : from, spacing);
  ++change.count;
  change.lost += to == from ? 1 : 0;
  change.below_half_ulp += ulps < 0.5 ? 1 : 0;
  change.sum_ulp += ulps;
}

}  // namespace ampprof::update

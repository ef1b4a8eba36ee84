// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "precision/error/accumulator.h"
#include "precision/formats/types/everywhere.h"
#include "precision/formats/types/spacing.h"

/// Counts the effect of an update on each element of a weight. Compiles for CPU and GPU.
namespace ampprof::update {

/// Counts to which threads add. All zero if nothing was counted.
template <typename Counter>
struct BasicChange {
  Counter count;           ///< updates that are not zero
  Counter lost;            ///< of `count`: elements that did not change
  Counter below_half_ulp;  ///< of `count`: elements with |update| < ulp(weight) / 2
  double sum_ulp;          ///< sum of |update| / ulp(weight)
};

/// The counts in device memory, with the type of CUDA's atomics.
using DeviceChange = BasicChange<unsigned long long>;

/// Returns 1 / ulp(value), computed from the exponent bits of the value.
AMPPROF_EVERYWHERE inline double inverse_ulp(double value, error::Spacing spacing) {
  namespace bits = error::cuda::bits;
  const std::int64_t exponent = ((bits::of(value) & bits::kMagnitude) >> bits::kMantissa) - 1023;
  const std::int64_t raised = exponent > spacing.min_exponent ? exponent : spacing.min_exponent;
  return bits::value((1023 + spacing.mantissa_bits - raised) << bits::kMantissa);
}

/// Counts an element that changed from `from` to `to`, where the exact result is `wanted`.
template <typename Counter>
AMPPROF_EVERYWHERE void add_element(BasicChange<Counter>& change, double from, double to, double wanted,
                                    error::Spacing spacing) {
  const double update = wanted - from;
  if (update == 0.0 ||
      (error::cuda::bits::of(update) & error::cuda::bits::kMagnitude) >= error::cuda::bits::kInfinity) {
    return;
  }
  // Relative to a weight of 0 any update is infinitely many ulps.
  const double ulps = fabs(update) * inverse_ulp(from == 0.0 ? wanted : from, spacing);
  ++change.count;
  change.lost += to == from ? 1 : 0;
  change.below_half_ulp += ulps < 0.5 ? 1 : 0;
  change.sum_ulp += ulps;
}

}  // namespace ampprof::update

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "reports/records/impact_estimate.h"

namespace ampprof::advice {

/// Change of one figure by rounding some matmuls: of the loss, or of how far a step decreases it. The two are never
/// added. A change is positive where it does harm. All fields add up over matmuls.
struct ErrorCost {
  double mean = 0.0;          ///< change, over steps
  double variance = 0.0;      ///< its root is how far the mean may be off, with 95 % probability to one side
  double mean_squares = 0.0;  ///< sum of the squares of the parts' means
  double squares = 0.0;       ///< E²: expected square of what changes from step to step
  double squares_high = 0.0;  ///< E² at the upper end of its interval

  void add(const ErrorCost& other);
  bool operator==(const ErrorCost&) const = default;

  /// Returns the expected size: the root of E² and the square of the mean.
  double size() const;
  /// Returns what the size stays below, intervals included. Means add with their signs, but that they cancel is not
  /// counted on: their squares count at least.
  double bound() const;
};

/// Returns the damage of one part from its steps, none for none. From few steps their scatter is known badly: where
/// roundings are independent, E stands in for it like four steps more.
ErrorCost error_cost_of(std::span<const StepImpact> steps, bool is_independent);

}  // namespace ampprof::advice

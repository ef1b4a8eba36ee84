// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "reports/records/impact_estimate.h"

namespace ampprof::advice {

/// Change of one figure caused by rounding some matmuls. The figure is the loss, or how far a step decreases it; the
/// two are never added. Positive is harm. All fields add up over matmuls.
struct ErrorCost {
  double mean = 0.0;          ///< mean change over steps
  double variance = 0.0;      ///< its root bounds the error of the mean, one-sided, at 95 %
  double mean_squares = 0.0;  ///< sum of the squares of the parts' means
  double squares = 0.0;       ///< E²: expected square of the part that changes from step to step
  double squares_high = 0.0;  ///< E² at the upper end of its interval

  void add(const ErrorCost& other);
  bool operator==(const ErrorCost&) const = default;

  /// Returns the expected size: the root of E² and the square of the mean.
  double size() const;
  /// Returns an upper bound of the size, intervals included. Means add with their signs, but the sum of their squares
  /// is a lower limit, since cancellation cannot be relied on.
  double bound() const;
};

/// Returns the damage of one part from its steps; zero without steps. Few steps say little about their scatter, so for
/// independent roundings E counts like four more steps.
ErrorCost error_cost_of(std::span<const StepImpact> steps, bool is_independent);

}  // namespace ampprof::advice

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "reports/records/impact_estimate.h"

namespace ampprof::advice {

/// Change of the loss, or of the loss decrease per step, that the rounding of some matmuls causes. The two are never
/// added. Positive is worse. All fields add up over matmuls.
struct ErrorCost {
  double mean = 0.0;          ///< mean change over steps
  double variance = 0.0;      ///< square of the bound for the error of the mean (one-sided, 95 %)
  double mean_squares = 0.0;  ///< sum of the squared means of the matmuls
  double squares = 0.0;       ///< E²: expected square of the change that varies from step to step
  double squares_high = 0.0;  ///< E² at the upper end of its confidence interval

  void add(const ErrorCost& other);
  bool operator==(const ErrorCost&) const = default;

  /// Returns the expected size: the root of the sum of E² and the squared mean.
  double size() const;
  /// Returns an upper bound of the size, with E² and the mean at the upper ends of their intervals. If the sum of the
  /// squared means is larger than the square of the summed mean, it replaces that square, since cancellation cannot be
  /// relied on.
  double bound() const;
};

/// Returns the cost of one matmul from its steps; zero without steps. A few steps say little about the scatter, so for
/// independent roundings E has the weight of four more steps.
ErrorCost error_cost_of(std::span<const StepImpact> steps, bool is_independent);

}  // namespace ampprof::advice

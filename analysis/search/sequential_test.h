// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analysis/search/minimize.h"
#include "reports/records/impact_estimate.h"

namespace ampprof::search {

inline constexpr std::size_t kEarlyLooks = 2;  ///< at the losses of a run that goes on

/// When a test looks at the differences that it has, and how sure it must be. A tenth of the error is kept for runs
/// that are stopped early.
struct TestPlan {
  double error = 0.01;                              ///< largest probability that a verdict is wrong
  std::vector<std::size_t> looks{3, 5, 8, 12, 20};  ///< numbers of pairs, ascending

  double error_of_look() const;
  /// Returns the error of one look at the losses of a run that goes on.
  double error_of_early_look() const;
};

/// Returns the probability that a value of Student's t distribution is larger than `t`.
double student_tail(double t, double degrees_of_freedom);

/// Says whether a test is at its end.
struct Decision {
  std::optional<Verdict> verdict;  ///< empty: go on
  std::size_t pairs = 0;           ///< pairs that the verdict rests on, or that the next look needs
};

/// Decides whether the mean of differences is at most `tolerance` (Pass) or larger (Fail), by a group-sequential t
/// test: at each look both are tested, one-sided, at nine tenths of the plan's error divided by the number of looks. So
/// a verdict is wrong with a probability of at most that error, however the looks depend on each other (Bonferroni's
/// inequality; Pocock, Biometrika 64, 1977, 191-199, has sharper bounds for known variances), as far as differences are
/// normal and independent. After the last look without either the verdict is Undecided.
///
/// `worse` holds one difference for each seed, the larger the worse: empty where a run is still to come, infinite for a
/// run that failed, which decides by itself. Those behind the look that decides do not matter, so runs may come in any
/// order.
Decision decide(std::span<const std::optional<double>> worse, double tolerance, const TestPlan& plan);

/// Mean and standard error of the mean; the latter is empty for a single value.
struct Estimate {
  double mean = 0.0;
  std::optional<double> standard_error = {};
};

/// Returns the estimate from at least one value.
Estimate estimate_of(std::span<const double> values);

}  // namespace ampprof::search

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analysis/search/minimize.h"
#include "reports/records/impact_estimate.h"

namespace ampprof::search {

inline constexpr std::size_t kEarlyLooks = 2;  ///< number of checks of the losses of a running trial

/// The schedule of looks at the differences, and the permitted error. A tenth of the error is reserved for stopping
/// runs early.
struct TestPlan {
  double error = 0.01;                              ///< largest probability of a wrong verdict
  std::vector<std::size_t> looks{3, 5, 8, 12, 20};  ///< numbers of pairs, ascending

  double error_of_look() const;
  /// Returns the permitted error probability of one early look at a running trial.
  double error_of_early_look() const;
};

/// Returns the probability that Student's t exceeds `t`.
double student_tail(double t, double degrees_of_freedom);

/// The state of a test.
struct Decision {
  std::optional<Verdict> verdict;  ///< empty if not decided yet
  std::size_t pairs = 0;           ///< number of pairs that the verdict is based on, or that the next look needs
};

/// Decides whether the mean of differences is at most `tolerance` (Pass) or larger (Fail), by a group-sequential t
/// test. Each look tests both hypotheses, one-sided, at nine tenths of the plan's error divided by the number of looks.
/// So a verdict is wrong with at most nine tenths of the plan's error, however the looks depend on each other, if
/// differences are normal and independent. (Bonferroni's inequality; Pocock, Biometrika 64, 1977, 191-199, has sharper
/// bounds for known variances.) Undecided if the last look rejects neither hypothesis.
///
/// `worse` holds one difference per seed; larger is worse. An empty difference is a run that has not finished. An
/// infinite one is a failed run, which alone decides Fail. Differences after the deciding look do not matter, so runs
/// may finish in any order.
Decision decide(std::span<const std::optional<double>> worse, double tolerance, const TestPlan& plan);

/// Mean and its standard error, which is empty for a single value.
struct Estimate {
  double mean = 0.0;
  std::optional<double> standard_error = {};
};

/// Returns the estimate from at least one value.
Estimate estimate_of(std::span<const double> values);

}  // namespace ampprof::search

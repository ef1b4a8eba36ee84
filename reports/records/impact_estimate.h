// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Estimates loss impacts from few steps, with their uncertainty.
///
/// The signed change <g, d> of one step has a random sign and size, so its root mean square ranks errors only after
/// some sixteen steps. Its expected square E^2, the sum of (g d)^2 over all independent roundings d, ranks errors after
/// one step. README.md of precision/impact describes the input.
namespace ampprof {

/// Impact of one error on one loss in one step.
struct StepImpact {
  std::int64_t step = 0;
  double change = 0.0;                ///< signed, to first order
  std::optional<double> square = {};  ///< E^2; empty if no roundings were recorded

  bool operator==(const StepImpact&) const = default;
};

/// An interval between two sizes, both above 0.
struct SizeInterval {
  double low = 0.0;
  double high = 0.0;

  bool operator==(const SizeInterval&) const = default;
};

/// Share of intervals that should contain the true value.
inline constexpr double kNominalCoverage = 0.9;
/// Systematic error of E, whatever the number of steps: standard deviation of its logarithm.
inline constexpr double kModelError = 0.15;
/// Expected scatter of E between steps: standard deviation of its logarithm. This prior has the weight of
/// kDegreesOfStepScatter degrees of freedom.
inline constexpr double kStepScatter = 0.5;
inline constexpr int kDegreesOfStepScatter = 2;
/// Lower limit for E of a step, as a fraction of the pooled E. A smaller E is raised to this limit, since smaller
/// values carry no more information. Adam's first step moves all weights alike, whatever the gradients, and E of its
/// backward ops is almost 0.
inline constexpr double kLeastOfPooled = 0.25;
/// If the mean of <g, d>^2 / E^2 is above this, roundings are not independent. A single draw exceeds the limit once in
/// ten thousand. Weights are rounded alike in each step, so more steps do not give more draws.
inline constexpr double kLargestSelfCheck = 16.0;

/// Adds the impacts of a part to those of the whole, step by step. Leaves out steps that only one of the two has.
void add_steps(std::vector<StepImpact>& whole, std::span<const StepImpact> part);

/// Returns E: the root of the mean of E^2 over the steps that have one; empty without such steps.
std::optional<double> estimate_of(std::span<const StepImpact> steps);

/// Returns the root mean square of the signed changes; empty without steps.
std::optional<double> rms_change_of(std::span<const StepImpact> steps);

/// Returns the sum of <g, d>^2 over the sum of E^2: about 1 if roundings are independent. Empty without E, or if E is
/// 0.
std::optional<double> self_check_of(std::span<const StepImpact> steps);

/// Returns the interval around E that contains the true value with probability kNominalCoverage. It adds two
/// independent errors of the logarithm: Student's t over steps, with their scatter shrunk towards kStepScatter, and
/// kModelError. Empty without an E above 0.
std::optional<SizeInterval> interval_of(std::span<const StepImpact> steps);

/// Returns whether the mean change differs from 0 by at least two standard errors over steps. Empty with fewer than two
/// steps.
std::optional<bool> is_resolved(std::span<const StepImpact> steps);

/// Compares the sizes of two errors.
struct SizeRatio {
  double log = 0.0;       ///< mean logarithm of the ratio of the first E to the second E
  double sampling = 0.0;  ///< standard error of `log` from the limited number of steps; 0 for one step
  int degrees = 0;        ///< degrees of freedom

  /// Returns whether the first size is significantly larger. Wrong for one in twenty pairs of equal size.
  bool is_surely_above_one() const;
};

/// Compares E on common steps, so that effects of a batch on all gradients cancel. Without common steps, compares the
/// means. Empty if either has no E above 0.
std::optional<SizeRatio> size_ratio(std::span<const StepImpact> a, std::span<const StepImpact> b);

/// An uncertain size: its logarithm is normally distributed.
struct UncertainSize {
  double log = 0.0;
  double deviation = kModelError;
};

/// Returns the probability that each of `chosen` is larger than each of `others`; all sizes are independent.
double probability_of_being_largest(std::span<const UncertainSize> chosen, std::span<const UncertainSize> others);

/// Returns the 95 % quantile of Student's t; infinity for no degrees of freedom.
double student_quantile_95(int degrees);

}  // namespace ampprof

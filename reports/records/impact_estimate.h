// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Says what an error does to a loss from few steps, and how sure that is.
///
/// The signed change <g, d> of one step has a random sign and size: its root mean square ranks errors after some
/// sixteen steps. The expected square of it, E^2 = the sum of (g d)^2 over all roundings d, which are independent of
/// each other where they happen, ranks them after one. README.md of precision/impact says what goes into it.
namespace ampprof {

/// Holds what one error did to one loss in one step.
struct StepImpact {
  std::int64_t step = 0;
  double change = 0.0;                ///< signed, to first order
  std::optional<double> square = {};  ///< E^2; empty where no roundings were recorded

  bool operator==(const StepImpact&) const = default;
};

/// Runs from one size to another, both above 0.
struct SizeInterval {
  double low = 0.0;
  double high = 0.0;

  bool operator==(const SizeInterval&) const = default;
};

/// The share of intervals that should hold the truth.
inline constexpr double kNominalCoverage = 0.9;
/// How far E is from the truth however many steps it is pooled over: standard deviation of its logarithm.
inline constexpr double kModelError = 0.15;
/// How far E of one step is expected to be from that of another: standard deviation of its logarithm. The expectation
/// counts as much as so many degrees of freedom of what steps show.
inline constexpr double kStepScatter = 0.5;
inline constexpr int kDegreesOfStepScatter = 2;
/// A step with less than this part of the pooled E is taken for one with it: how much less says nothing of more.
/// Adam's first step moves all weights alike, whatever gradients are, and E of its backward ops is next to nothing.
inline constexpr double kLeastOfPooled = 0.25;
/// Beyond this mean of <g, d>^2 / E^2 roundings are not independent: of one draw that happens once in ten thousand.
/// Weights are rounded alike in each step, so more steps are no more draws.
inline constexpr double kLargestSelfCheck = 16.0;

/// Adds a part's impacts to those of a whole, step by step; steps that either lacks are left out.
void add_steps(std::vector<StepImpact>& whole, std::span<const StepImpact> part);

/// Returns E: the root of the mean of E^2 over the steps that have one; empty without any.
std::optional<double> estimate_of(std::span<const StepImpact> steps);

/// Returns the root of the mean square of the signed changes; empty without a step.
std::optional<double> rms_change_of(std::span<const StepImpact> steps);

/// Returns the sum of <g, d>^2 over that of E^2: about 1 where roundings are independent. Empty without E, or where it
/// is 0.
std::optional<double> self_check_of(std::span<const StepImpact> steps);

/// Returns the interval around E that holds the truth with kNominalCoverage: of the logarithm, Student's over steps,
/// whose scatter is shrunk to kStepScatter, and kModelError, as two independent errors. Empty without an E above 0.
std::optional<SizeInterval> interval_of(std::span<const StepImpact> steps);

/// Returns whether the mean change is at least two of its standard errors over steps. Empty below two steps.
std::optional<bool> is_resolved(std::span<const StepImpact> steps);

/// Says how the sizes of two errors compare.
struct SizeRatio {
  double log = 0.0;       ///< mean logarithm of E of the first over E of the second
  double sampling = 0.0;  ///< standard error of it, since there are no more steps; 0 of one
  int degrees = 0;        ///< of freedom in that

  /// Returns whether the first is the larger one, wrong in one of twenty cases of equals.
  bool is_surely_above_one() const;
};

/// Compares E on the steps that both have: what a batch does to all gradients alike cancels. Without a common step each
/// one's own mean counts. Empty where either has no E above 0.
std::optional<SizeRatio> size_ratio(std::span<const StepImpact> a, std::span<const StepImpact> b);

/// A size that is not known exactly: its logarithm, as a normal distribution.
struct UncertainSize {
  double log = 0.0;
  double deviation = kModelError;
};

/// Returns the probability that each of `chosen` is larger than each of the others, all independent of each other.
double probability_of_being_largest(std::span<const UncertainSize> chosen, std::span<const UncertainSize> others);

/// Returns the value that Student's t stays below with 95 % probability; infinity for no degrees of freedom.
double student_quantile_95(int degrees);

}  // namespace ampprof

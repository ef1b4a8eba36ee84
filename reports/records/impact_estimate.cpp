// SPDX-License-Identifier: Apache-2.0
#include "reports/records/impact_estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "reports/records/in_quadrature.h"

namespace ampprof {
namespace {

constexpr double kNormal95 = 1.6448536269514722;

struct Mean {
  double value = 0.0;
  double standard_error = 0.0;  ///< 0 for one value
  int degrees = -1;             ///< degrees of freedom; -1 without a value
};

Mean mean_of(const std::vector<double>& values) {
  Mean mean{.degrees = static_cast<int>(values.size()) - 1};
  if (values.empty()) return mean;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) mean.value += value / count;
  if (mean.degrees == 0) return mean;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean.value) * (value - mean.value);
  mean.standard_error = std::sqrt(squares / mean.degrees / count);
  return mean;
}

bool has_size(const StepImpact& step) { return step.square && *step.square > 0.0 && std::isfinite(*step.square); }

double log_size(const StepImpact& step) { return 0.5 * std::log(*step.square); }

Mean mean_log_size(std::span<const StepImpact> steps) {
  std::vector<double> logs;
  for (const StepImpact& step : steps) {
    if (has_size(step)) logs.push_back(log_size(step));
  }
  return mean_of(logs);
}

const StepImpact* find_step(std::span<const StepImpact> steps, std::int64_t step) {
  const auto found = std::ranges::lower_bound(steps, step, {}, &StepImpact::step);
  return found != steps.end() && found->step == step ? &*found : nullptr;
}

/// A prior variance, and the number of degrees of freedom by which it is weighted.
struct ExpectedVariance {
  double value = 0.0;
  int degrees = 0;
};

/// Returns a one-sided 95 % bound for the error of a mean of values. Uses Student's t with the variance of the values
/// pooled with the prior variance (scaled inverse chi-squared).
double error_of_mean_95(const std::vector<double>& values, ExpectedVariance expected) {
  const auto count = static_cast<double>(values.size());
  const Mean mean = mean_of(values);
  const double squares = mean.standard_error * mean.standard_error * count * mean.degrees;
  const int degrees = mean.degrees + expected.degrees;
  const double variance = (squares + expected.degrees * expected.value) / degrees;
  return student_quantile_95(degrees) * std::sqrt(variance / count);
}

double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// Returns the probability that all sizes are below a size with this logarithm.
double all_below(std::span<const UncertainSize> sizes, double log) {
  double probability = 1.0;
  for (const UncertainSize& size : sizes) probability *= normal_below((log - size.log) / size.deviation);
  return probability;
}

double all_above(std::span<const UncertainSize> sizes, double log) {
  double probability = 1.0;
  for (const UncertainSize& size : sizes) probability *= normal_below((size.log - log) / size.deviation);
  return probability;
}

}  // namespace

void add_steps(std::vector<StepImpact>& whole, std::span<const StepImpact> part) {
  std::erase_if(whole, [&](const StepImpact& step) { return find_step(part, step.step) == nullptr; });
  for (StepImpact& step : whole) {
    const StepImpact& other = *find_step(part, step.step);
    step.change += other.change;
    step.square = step.square && other.square ? std::optional(*step.square + *other.square) : std::nullopt;
  }
}

std::optional<double> estimate_of(std::span<const StepImpact> steps) {
  double sum = 0.0;
  double count = 0.0;
  for (const StepImpact& step : steps) {
    if (!step.square) continue;
    sum += *step.square;
    count += 1.0;
  }
  return count > 0.0 ? std::optional(std::sqrt(sum / count)) : std::nullopt;
}

std::optional<double> rms_change_of(std::span<const StepImpact> steps) {
  if (steps.empty()) return std::nullopt;
  double sum = 0.0;
  for (const StepImpact& step : steps) sum += step.change * step.change;
  return std::sqrt(sum / static_cast<double>(steps.size()));
}

std::optional<double> self_check_of(std::span<const StepImpact> steps) {
  double changes = 0.0;
  double squares = 0.0;
  for (const StepImpact& step : steps) {
    if (!step.square) continue;
    changes += step.change * step.change;
    squares += *step.square;
  }
  return squares > 0.0 ? std::optional(changes / squares) : std::nullopt;
}

std::optional<SizeInterval> interval_of(std::span<const StepImpact> steps) {
  const double pooled = estimate_of(steps).value_or(0.0);
  std::vector<double> logs;
  for (const StepImpact& step : steps) {
    if (has_size(step)) logs.push_back(std::max(log_size(step), std::log(kLeastOfPooled * pooled)));
  }
  if (logs.empty()) return std::nullopt;
  const double half_width =
      in_quadrature(error_of_mean_95(logs, {kStepScatter * kStepScatter, kDegreesOfStepScatter}), kNormal95 * kModelError);
  return SizeInterval{pooled * std::exp(-half_width), pooled * std::exp(half_width)};
}

std::optional<bool> is_resolved(std::span<const StepImpact> steps) {
  std::vector<double> changes;
  for (const StepImpact& step : steps) changes.push_back(step.change);
  const Mean mean = mean_of(changes);
  if (mean.degrees < 1) return std::nullopt;
  return std::abs(mean.value) >= 2.0 * mean.standard_error;
}

bool SizeRatio::is_surely_above_one() const {
  const double by_sampling = degrees > 0 ? student_quantile_95(degrees) * sampling : 0.0;
  return log > in_quadrature(by_sampling, kNormal95 * std::numbers::sqrt2 * kModelError);
}

std::optional<SizeRatio> size_ratio(std::span<const StepImpact> a, std::span<const StepImpact> b) {
  std::vector<double> ratios;
  for (const StepImpact& step : a) {
    const StepImpact* other = find_step(b, step.step);
    if (other != nullptr && has_size(step) && has_size(*other)) ratios.push_back(log_size(step) - log_size(*other));
  }
  if (const Mean paired = mean_of(ratios); paired.degrees >= 0) {
    return SizeRatio{paired.value, paired.standard_error, paired.degrees};
  }
  const Mean of_a = mean_log_size(a);
  const Mean of_b = mean_log_size(b);
  if (of_a.degrees < 0 || of_b.degrees < 0) return std::nullopt;
  const double sampling =
      std::sqrt(of_a.standard_error * of_a.standard_error + of_b.standard_error * of_b.standard_error);
  return SizeRatio{of_a.value - of_b.value, sampling, of_a.degrees + of_b.degrees};
}

// P = integral of P(all chosen > t) dP(all others < t). The integrand is smooth, so the trapezoid rule is exact far
// beyond the shown digits.
double probability_of_being_largest(std::span<const UncertainSize> chosen, std::span<const UncertainSize> others) {
  if (chosen.empty() || others.empty()) return 1.0;
  constexpr int kPoints = 1000;
  constexpr double kDeviations = 8.0;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const UncertainSize& size : others) {
    low = std::min(low, size.log - kDeviations * size.deviation);
    high = std::max(high, size.log + kDeviations * size.deviation);
  }
  double probability = 0.0;
  double below = all_below(others, low);
  double above = all_above(chosen, low);
  for (int i = 1; i <= kPoints; ++i) {
    const double log = low + (high - low) * i / kPoints;
    const double next_below = all_below(others, log);
    const double next_above = all_above(chosen, log);
    probability += 0.5 * (above + next_above) * (next_below - below);
    below = next_below;
    above = next_above;
  }
  return probability;
}

// Returns the exact quantile for one and two degrees of freedom. For more, uses the Cornish-Fisher expansion, which is
// off by less than 0.3 %.
double student_quantile_95(int degrees) {
  constexpr double kProbability = 0.95;
  if (degrees < 1) return std::numeric_limits<double>::infinity();
  if (degrees == 1) return std::tan(std::numbers::pi * (kProbability - 0.5));
  if (degrees == 2) return (2 * kProbability - 1) * std::sqrt(0.5 / (kProbability * (1 - kProbability)));
  const double z = kNormal95;
  const double n = degrees;
  const double first = (std::pow(z, 3) + z) / 4;
  const double second = (5 * std::pow(z, 5) + 16 * std::pow(z, 3) + 3 * z) / 96;
  const double third = (3 * std::pow(z, 7) + 19 * std::pow(z, 5) + 17 * std::pow(z, 3) - 15 * z) / 384;
  return z + first / n + second / (n * n) + third / (n * n * n);
}

}  // namespace ampprof

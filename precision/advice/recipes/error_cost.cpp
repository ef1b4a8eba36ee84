// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/error_cost.h"

#include <algorithm>
#include <cmath>

namespace ampprof::advice {
namespace {

constexpr double kNormal95 = 1.645;  // upper end of a one-sided 95 % interval of a standard normal distribution
constexpr int kStepsOfE = 4;         // E has the weight of this many steps in the estimate of the scatter

double squared(double value) { return value * value; }

struct Scatter {
  double variance = 0.0;
  int degrees = 0;  // degrees of freedom
};

double mean_of(std::span<const StepImpact> steps) {
  double sum = 0.0;
  for (const StepImpact& step : steps) sum += step.change;
  return sum / static_cast<double>(steps.size());
}

Scatter scatter_of(std::span<const StepImpact> steps, double mean) {
  Scatter scatter{.degrees = static_cast<int>(steps.size()) - 1};
  for (const StepImpact& step : steps) scatter.variance += squared(step.change - mean);
  if (scatter.degrees > 0) scatter.variance /= scatter.degrees;
  return scatter;
}

Scatter with_estimate(const Scatter& scatter, double square) {
  const int degrees = scatter.degrees + kStepsOfE;
  return {(scatter.degrees * scatter.variance + kStepsOfE * square) / degrees, degrees};
}

/// Returns the square of the 95 % bound for the error of the mean. The mean of a single step without E may be wrong by
/// its whole value.
double variance_of_mean(const Scatter& scatter, double mean, std::size_t steps) {
  if (scatter.degrees == 0) return mean * mean;
  return squared(student_quantile_95(scatter.degrees)) * scatter.variance / static_cast<double>(steps);
}

void set_squares(ErrorCost& error_cost, std::span<const StepImpact> steps, double estimate) {
  error_cost.squares = squared(estimate);
  const auto interval = interval_of(steps);
  error_cost.squares_high = interval ? squared(interval->high) : 0.0;
}

/// Sets E² to the variance, and the upper end of E² by the relative standard error of a standard deviation from n
/// values, which is 1 / sqrt(2 n).
void set_squares(ErrorCost& error_cost, const Scatter& scatter, std::size_t steps) {
  error_cost.squares = scatter.variance;
  error_cost.squares_high = scatter.variance * squared(1 + kNormal95 / std::sqrt(2.0 * static_cast<double>(steps)));
}

}  // namespace

void ErrorCost::add(const ErrorCost& other) {
  mean += other.mean;
  variance += other.variance;
  mean_squares += other.mean_squares;
  squares += other.squares;
  squares_high += other.squares_high;
}

double ErrorCost::size() const { return std::sqrt(squared(mean) + squares); }

double ErrorCost::bound() const {
  const double farthest = std::abs(mean) + std::sqrt(std::max(0.0, variance));
  return std::sqrt(std::max(squared(farthest), mean_squares) + squares_high);
}

ErrorCost error_cost_of(std::span<const StepImpact> steps, bool is_independent) {
  if (steps.empty()) return {};
  ErrorCost error_cost{.mean = mean_of(steps)};
  error_cost.mean_squares = squared(error_cost.mean);
  const Scatter scatter = scatter_of(steps, error_cost.mean);
  const auto estimate = is_independent ? estimate_of(steps) : std::nullopt;
  if (estimate) {
    set_squares(error_cost, steps, *estimate);
    error_cost.variance = variance_of_mean(with_estimate(scatter, error_cost.squares), error_cost.mean, steps.size());
  } else {
    set_squares(error_cost, scatter, steps.size());
    error_cost.variance = variance_of_mean(scatter, error_cost.mean, steps.size());
  }
  return error_cost;
}

}  // namespace ampprof::advice

// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/sequential_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ampprof::search {
namespace {

constexpr double kShareOfEarlyStops = 0.1;

/// The continued fraction of the incomplete beta function, by Lentz's method: Numerical Recipes, section 6.4.
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr int kTerms = 300;
  const auto kept_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1.0;
  double d = 1.0 / kept_from_zero(1.0 - (a + b) * x / (a + 1.0));
  double fraction = d;
  for (int m = 1; m <= kTerms; ++m) {
    const double twice = 2.0 * m;
    const double even = m * (b - m) * x / ((a + twice - 1.0) * (a + twice));
    const double odd = -(a + m) * (a + b + m) * x / ((a + twice) * (a + twice + 1.0));
    double change = 1.0;
    for (const double term : {even, odd}) {
      d = 1.0 / kept_from_zero(1.0 + term * d);
      c = kept_from_zero(1.0 + term / c);
      change = c * d;
      fraction *= change;
    }
    if (std::abs(change - 1.0) < std::numeric_limits<double>::epsilon()) break;
  }
  return fraction;
}

/// Regularized: from 0 to 1 as x goes from 0 to 1.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0.0) return 0.0;
  if (x >= 1.0) return 1.0;
  const double logarithm = std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
  const double front = std::exp(logarithm);
  if (x < (a + 1.0) / (a + b + 2.0)) return front * beta_fraction(a, b, x) / a;
  return 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

std::optional<Verdict> verdict_at(std::span<const double> worse, double tolerance, double error) {
  const Estimate estimate = estimate_of(worse);
  const double above = estimate.mean - tolerance;
  const double spread = estimate.standard_error.value_or(0.0);
  if (spread == 0.0) return above <= 0.0 ? Verdict::Pass : Verdict::Fail;
  const double tail = student_tail(std::abs(above) / spread, static_cast<double>(worse.size() - 1));
  if (tail > error) return std::nullopt;
  return above < 0.0 ? Verdict::Pass : Verdict::Fail;
}

}  // namespace

double TestPlan::error_of_look() const {
  return (1.0 - kShareOfEarlyStops) * error / static_cast<double>(looks.size());
}

double TestPlan::error_of_early_look() const {
  return kShareOfEarlyStops * error / static_cast<double>(kEarlyLooks * looks.back());
}

double student_tail(double t, double degrees_of_freedom) {
  const double both = incomplete_beta(degrees_of_freedom / 2.0, 0.5, degrees_of_freedom / (degrees_of_freedom + t * t));
  return t >= 0.0 ? both / 2.0 : 1.0 - both / 2.0;
}

Estimate estimate_of(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  Estimate estimate;
  for (const double value : values) estimate.mean += value / n;
  if (values.size() < 2) return estimate;
  double squares = 0.0;
  for (const double value : values) squares += (value - estimate.mean) * (value - estimate.mean);
  estimate.standard_error = std::sqrt(squares / (n - 1.0) / n);
  return estimate;
}

Decision decide(std::span<const std::optional<double>> worse, double tolerance, const TestPlan& plan) {
  for (const std::size_t look : plan.looks) {
    const auto seen = worse.first(std::min(look, worse.size()));
    const auto failed = [](const std::optional<double>& value) { return value && !std::isfinite(*value); };
    if (std::ranges::any_of(seen, failed)) return {Verdict::Fail, look};
    std::vector<double> values;
    for (const auto& value : seen) {
      if (value) values.push_back(*value);
    }
    if (values.size() < look) return {std::nullopt, look};
    if (const auto verdict = verdict_at(values, tolerance, plan.error_of_look())) return {verdict, look};
  }
  return {Verdict::Undecided, plan.looks.back()};
}

}  // namespace ampprof::search

// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/sequential_test.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

namespace ampprof::search {
namespace {

constexpr double kShareOfEarlyStops = 0.1;

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
  const double x = degrees_of_freedom / (degrees_of_freedom + t * t);
  if (std::isnan(x)) return x;  // ibeta() would throw
  const double both = boost::math::ibeta(degrees_of_freedom / 2.0, 0.5, x);
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

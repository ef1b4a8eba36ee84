// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/relaxation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ampprof::advice {
namespace {

constexpr std::array kTangents{1.0, 0.5};  // the values of a that conditions are made for

bool is_none(const ErrorCost& damage) { return damage == ErrorCost{}; }

/// Calls `condition` with what a damage adds to each condition and the most that all may.
template <class Condition>
void each_condition(const ErrorCost& damage, double tolerance, const Condition& condition) {
  if (std::isinf(tolerance)) return;
  if (tolerance == 0.0) return condition(is_none(damage) ? 0.0 : 1.0, 0.0);
  const double square = tolerance * tolerance;
  const double mean = damage.mean / tolerance;
  const double variance = damage.variance / square;
  const double squares = damage.squares_high / square;
  condition(damage.mean_squares / square + squares, 1.0);
  for (const double a : kTangents) {
    for (const double sign : {1.0, -1.0}) condition(2 * a * (sign * mean + variance) + squares, 1 + a * a);
  }
}

template <class Condition>
void each_condition(const Choice& choice, const Tolerances& tolerances, const Condition& condition) {
  each_condition(choice.loss, tolerances.loss, condition);
  each_condition(choice.gradient, tolerances.gradient, condition);
}

}  // namespace

Conditions conditions_of(const FormatTask& task) {
  Conditions conditions;
  each_condition(Choice{}, task.tolerances, [&](double, double most) { conditions.most.push_back(most); });
  for (const auto& group : task.groups) {
    auto& of_group = conditions.of_choice.emplace_back();
    for (const Choice& choice : group) {
      auto& of_choice = of_group.emplace_back();
      each_condition(choice, task.tolerances, [&](double adds, double) { of_choice.push_back(adds); });
    }
  }
  return conditions;
}

Multipliers priced(const FormatTask& task, const Conditions& conditions, std::vector<double> prices) {
  Multipliers multipliers{.prices = std::move(prices)};
  for (std::size_t k = 0; k < conditions.count(); ++k) {
    multipliers.allowance += multipliers.prices[k] * conditions.most[k];
  }
  multipliers.least_us = -multipliers.allowance;
  for (std::size_t g = 0; g < task.groups.size(); ++g) {
    auto& cost = multipliers.cost.emplace_back();
    for (std::size_t i = 0; i < task.groups[g].size(); ++i) {
      cost.push_back(task.groups[g][i].us);
      for (std::size_t k = 0; k < conditions.count(); ++k) {
        cost.back() += multipliers.prices[k] * conditions.of_choice[g][i][k];
      }
    }
    const auto least = std::ranges::min_element(cost);
    multipliers.least_us += *least;
    multipliers.choices.push_back(static_cast<std::size_t>(least - cost.begin()));
  }
  return multipliers;
}

}  // namespace ampprof::advice

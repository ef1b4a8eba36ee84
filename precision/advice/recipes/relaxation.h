// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "precision/advice/recipes/format_solver.h"

namespace ampprof::advice {

/// Conditions that all choices within the tolerances meet, and more: sums over groups that are at most a number. They
/// are linear, which bounds of damage are not.
///
/// With T the tolerance, m the mean, v the variance, q the sum of squared means and s the squares' upper end, all
/// relative to T: bound() <= 1 means max((|m| + sqrt(v))^2, q) + s <= 1. So q + s <= 1; sqrt(v) <= 1, so that
/// |m| + v <= |m| + sqrt(v); and since x^2 >= 2ax - a^2 for any a, 2a(+-m + v) + s <= 1 + a^2.
struct Conditions {
  std::vector<double> most = {};                                 ///< of each condition
  std::vector<std::vector<std::vector<double>>> of_choice = {};  ///< by group, choice and condition: what it adds

  std::size_t count() const { return most.size(); }
};

Conditions conditions_of(const FormatTask& task);

/// Prices of the conditions, and what follows from them.
struct Multipliers {
  std::vector<double> prices = {};             ///< of each condition, at least 0
  std::vector<std::vector<double>> cost = {};  ///< by group and choice: its time and what it adds at these prices
  double allowance = 0.0;                      ///< what all conditions together allow, at these prices
  double least_us = 0.0;                       ///< no choice that meets the conditions takes less
  std::vector<std::size_t> choices = {};       ///< those of least cost
};

/// Prices all conditions.
Multipliers priced(const FormatTask& task, const Conditions& conditions, std::vector<double> prices);

}  // namespace ampprof::advice

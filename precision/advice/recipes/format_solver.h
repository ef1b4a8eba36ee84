// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "precision/advice/recipes/error_cost.h"

namespace ampprof::advice {

/// One way to compute a group of layers.
struct Choice {
  double us = 0.0;  ///< a step
  ErrorCost loss = {};
  ErrorCost gradient = {};

  bool operator==(const Choice&) const = default;
};

/// The damage that a choice may do; infinity where a figure is not asked for.
struct Tolerances {
  double loss = 0.0;
  double gradient = 0.0;
};

/// Asks for one choice of each group.
struct FormatTask {
  std::vector<std::vector<Choice>> groups = {};  ///< none is empty
  Tolerances tolerances = {};
  std::size_t most_nodes = 1'000'000;  ///< of the search; beyond them the best so far is taken
};

struct FormatSolution {
  std::vector<std::size_t> choices = {};  ///< of each group
  Choice total = {};
  double least_us = 0.0;  ///< proven: no choice within the tolerances takes less; total.us where the search ended

  bool is_exact() const { return least_us >= total.us; }
};

/// Returns the total of a choice of each group.
Choice total_of(const std::vector<std::vector<Choice>>& groups, const std::vector<std::size_t>& choices);

/// Returns which part of the tolerances the bounds of the damage take, of the one that takes more: 1 is all.
double share_of(const Choice& total, const Tolerances& tolerances);

/// Returns the choices of least time whose damages' bounds are within the tolerances, of equal times one of less
/// damage. Empty where there are none. Exact, by branch and bound under Lagrange multipliers, unless nodes run out.
std::optional<FormatSolution> solve_formats(const FormatTask& task);

}  // namespace ampprof::advice

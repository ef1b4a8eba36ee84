// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "precision/advice/recipes/error_cost.h"

namespace ampprof::advice {

/// One way to compute a group of layers.
struct Choice {
  double us = 0.0;  ///< per step
  ErrorCost loss = {};
  ErrorCost gradient = {};

  bool operator==(const Choice&) const = default;
};

/// The largest allowed damage; infinity where a figure does not matter.
struct Tolerances {
  double loss = 0.0;
  double gradient = 0.0;
};

/// The groups, each of which needs one choice.
struct FormatTask {
  std::vector<std::vector<Choice>> groups = {};  ///< none is empty
  Tolerances tolerances = {};
  std::size_t most_nodes = 1'000'000;  ///< of the search; with more it stops with the best choice so far
};

struct FormatSolution {
  std::vector<std::size_t> choices = {};  ///< of each group
  Choice total = {};
  double least_us = 0.0;  ///< proven lower bound within the tolerances; total.us if the search finished

  bool is_exact() const { return least_us >= total.us; }
};

/// Returns the sum of one choice of each group.
Choice total_of(const std::vector<std::vector<Choice>>& groups, const std::vector<std::size_t>& choices);

/// Returns the larger share of the tolerances that the damage bounds use; 1 is all of it.
double share_of(const Choice& total, const Tolerances& tolerances);

/// Returns the choices of least time whose damage bounds are within the tolerances, among equal times those of less
/// damage. Empty if there are none. Exact by branch and bound under Lagrange multipliers, unless the nodes run out.
std::optional<FormatSolution> solve_formats(const FormatTask& task);

}  // namespace ampprof::advice

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "precision/advice/recipes/error_cost.h"

namespace ampprof::advice {

/// One combination of formats for a group of layers, with its time and costs.
struct Choice {
  double us = 0.0;  ///< time per step
  ErrorCost loss = {};
  ErrorCost gradient = {};

  bool operator==(const Choice&) const = default;
};

/// Largest allowed error costs (ErrorCost::bound()); infinity if unlimited.
struct Tolerances {
  double loss = 0.0;
  double gradient = 0.0;
};

/// The groups, each of which gets one choice.
struct FormatTask {
  std::vector<std::vector<Choice>> groups = {};  ///< choices by group; each group has at least one
  Tolerances tolerances = {};
  std::size_t most_nodes = 1'000'000;  ///< node limit; then the search stops with the best choice so far
};

struct FormatSolution {
  std::vector<std::size_t> choices = {};  ///< index of the choice of each group
  Choice total = {};
  double least_us = 0.0;  ///< proven lower bound of the time within the tolerances; total.us if the search finished

  bool is_exact() const { return least_us >= total.us; }
};

/// Returns the sum of one choice of each group.
Choice total_of(const std::vector<std::vector<Choice>>& groups, const std::vector<std::size_t>& choices);

/// Returns the share of the tolerances that the error costs use: that of the loss or that of the gradient, whichever is
/// larger. 1 is a whole tolerance.
double share_of(const Choice& total, const Tolerances& tolerances);

/// Returns the choices of least time whose error costs (bound()) are within the tolerances; among equal times, those of
/// lower error cost. Empty if there are none. Exact, by branch and bound under Lagrange multipliers, up to
/// `most_nodes`.
std::optional<FormatSolution> solve_formats(const FormatTask& task);

}  // namespace ampprof::advice

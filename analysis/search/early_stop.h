// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace ampprof::search {

/// Losses of a run, one per step.
using Losses = std::vector<double>;

/// Bounds for the intermediate losses of a run that may still end within the tolerance.
struct LossReference {
  std::vector<Losses> runs;          ///< one run per seed; a single one if seeds change nothing
  double tolerance = 0.0;            ///< tolerance of the final loss
  std::optional<double> noise = {};  ///< standard error of the final loss; used with a single run
  double error = 0.0;                ///< largest probability of stopping a run that would end within the tolerance
};

/// Returns whether a running trial should be stopped. It should if none of its last 10 losses is finite. It also should
/// if its mean loss over the last quarter of its steps is too high, which is tested after half and after three quarters
/// of the steps, from 40 steps on. Too high means above all such means of the reference runs, from a quarter of these
/// steps on, by more than the tolerance and the variation of seeds. So a run that trains at a quarter of their speed
/// passes.
bool is_clearly_bad(std::span<const double> losses, const std::optional<LossReference>& reference);

}  // namespace ampprof::search

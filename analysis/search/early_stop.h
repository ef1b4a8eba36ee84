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

/// Returns whether a running trial should be stopped. Either none of its last 10 losses is finite; or, at half or three
/// quarters of at least 40 steps, its recent mean is too high. That is the mean over the last quarter of its steps. It
/// is too high if it exceeds every such mean of the reference runs, from a quarter of these steps on, by more than the
/// tolerance and the variation of seeds. So a run that trains like the others at a quarter of their speed passes.
bool is_clearly_bad(std::span<const double> losses, const std::optional<LossReference>& reference);

}  // namespace ampprof::search

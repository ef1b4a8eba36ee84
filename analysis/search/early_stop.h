// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace ampprof::search {

/// Losses of a run, one a step, from the first on.
using Losses = std::vector<double>;

/// Tells what a run may look like on its way that is to end within the tolerance of those with everything in high
/// precision.
struct LossReference {
  std::vector<Losses> runs;          ///< one for each seed; a single one where seeds change nothing
  double tolerance = 0.0;            ///< of the final loss
  std::optional<double> noise = {};  ///< standard error of the final loss; used of a single run
  double error = 0.0;                ///< largest probability to stop a run that would end within the tolerance
};

/// Whether a run that goes on cannot come to any good. Either none of its last 10 losses is finite; or at its half or
/// at three quarters, of 40 steps at least, the mean over the last quarter of its steps is worse than anywhere in the
/// reference runs from a quarter of these steps on: by more than the tolerance and what seeds may do. So a run passes
/// that trains as the others do at a quarter of their speed.
bool is_clearly_bad(std::span<const double> losses, const std::optional<LossReference>& reference);

}  // namespace ampprof::search

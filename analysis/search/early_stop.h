// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace ampprof::search {

/// Losses of a run, one per step.
using Losses = std::vector<double>;

/// Input of is_clearly_bad(): the reference runs, and how far the losses of a trial may be above theirs.
struct LossReference {
  std::vector<Losses> runs;          ///< one run per seed; a single one if seeds change nothing
  double tolerance = 0.0;            ///< tolerance of the final loss
  std::optional<double> noise = {};  ///< standard error of the final loss; used with a single run
  double error = 0.0;                ///< largest probability of stopping a run that would end within the tolerance
};

/// Returns whether a running trial should be stopped, because its last 10 losses are all NaN or inf, or because its
/// loss is too high. Tests the loss when half and when three quarters of the steps are done, if these are at least 40
/// steps. The trial's value is its mean loss over the last quarter of the steps done. A reference run's value is its
/// largest mean over as many steps, from a quarter of the steps done on. The loss is too high if the trial's value
/// exceeds the mean value of the references by more than the tolerance and the variation of seeds. So a run that trains
/// at a quarter of the references' speed passes.
bool is_clearly_bad(std::span<const double> losses, const std::optional<LossReference>& reference);

}  // namespace ampprof::search

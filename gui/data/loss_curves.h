// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "reports/queries/losses.h"

namespace ampprof::gui {

/// The loss, or the loss scale, of one run, step after step.
struct LossCurve {
  std::string name;
  std::vector<queries::StepValue> losses;
};

/// The losses of many ranks, step after step. A loss that is not finite counts as larger than any other: the median is
/// NaN where more than half of the ranks have none, and the largest is that of the finite ones. All three have the same
/// steps.
struct LossBand {
  std::string name;
  std::vector<queries::StepValue> median;
  std::vector<queries::StepValue> least;    ///< NaN in a step without a finite loss
  std::vector<queries::StepValue> largest;  ///< the same
};

/// Holds what charts of losses and of loss scales draw.
struct LossCurves {
  std::vector<LossBand> bands;  ///< of the launches with many ranks
  std::vector<LossCurve> curves;
  std::vector<LossCurve> scales;  ///< of the same runs; empty ones where a run has no loss scale
};

/// Returns what the losses of ranks come to, in each step that one of them has.
LossBand bandOf(const std::vector<std::vector<queries::StepValue>>& ranks, std::string name);

}  // namespace ampprof::gui

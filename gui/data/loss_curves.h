// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "reports/queries/losses.h"

namespace ampprof::gui {

/// The loss, or the loss scale, of one run over the steps.
struct LossCurve {
  std::string name;
  std::vector<queries::StepValue> losses;
};

/// The losses of many ranks over the steps. In the median, a loss that is not finite counts as larger than any other,
/// so the median is NaN if more than half of the losses are not finite. `least` and `largest` use only finite losses.
/// All three vectors have the same steps.
struct LossBand {
  std::string name;
  std::vector<queries::StepValue> median;
  std::vector<queries::StepValue> least;    ///< NaN in a step without a finite loss
  std::vector<queries::StepValue> largest;  ///< NaN in a step without a finite loss
};

/// Data of the charts of losses and loss scales.
struct LossCurves {
  std::vector<LossBand> bands;  ///< a band for each launch with many ranks
  std::vector<LossCurve> curves;
  std::vector<LossCurve> scales;  ///< loss scales, in the order of `curves`; no values for a run without a loss scale
};

/// Returns the band of the losses of `ranks`, with all steps that at least one rank has.
LossBand bandOf(const std::vector<std::vector<queries::StepValue>>& ranks, std::string name);

}  // namespace ampprof::gui

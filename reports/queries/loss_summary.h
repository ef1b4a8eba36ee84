// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/queries/queries.h"

namespace ampprof {

/// One value of one loss. A step may have several of each: micro-batches, and models with several losses.
struct StepLoss {
  std::int64_t step = 0;
  std::int64_t loss_id = 0;
  double value = 0.0;
};

struct LossSummary {
  std::optional<double> initial;
  std::optional<double> final;
  std::optional<double> final_noise;  ///< standard error of `final`; empty with a single step
};

/// One loss for each step, ascending: the sum over loss ids of the mean over its values.
std::vector<StepValue> loss_by_step(std::vector<StepLoss> losses);

/// `initial` and `final` are means over the first and the last steps, at most 10. A NaN in a step makes the means over
/// that step NaN.
LossSummary summarize(const std::vector<StepValue>& losses);

}  // namespace ampprof

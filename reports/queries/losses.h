// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/step.h"

namespace ampprof::queries {

/// A loss that was seen.
struct LossRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t step = 0;
  LossValue loss;
};

/// A figure of one step.
struct StepValue {
  std::int64_t step = 0;
  double value = 0.0;

  bool operator==(const StepValue&) const = default;
};

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

/// Returns the losses that were seen, in the order of the run.
std::vector<LossRow> losses(const Report& report, RunFilter run = {});

/// Tells what the losses of a step differ by, added up, where a shadow goes along: those in the recipe of --what-if
/// less the run's, or, of a run in reduced precision, the run's less those without rounding.
struct LossChange {
  std::int64_t run = 0;
  std::int64_t step = 0;
  double change = 0.0;
};
/// Returns them by run and step, of steps in which one went along; none of a program that rounds by itself and was
/// judged in a recipe: the shadow, which does not, differs by more than the recipe.
std::vector<LossChange> loss_changes(const Report& report, RunFilter run = {});

/// Returns one loss for each step of one run, ascending: the sum over losses of the mean over a step's values.
std::vector<StepValue> loss_by_step(const Report& report, std::int64_t run);

/// Returns one loss for each step, ascending: the sum over loss ids of the mean over its values.
std::vector<StepValue> loss_by_step(std::vector<StepLoss> losses);

/// Returns means over the first and the last steps, at most 10. A NaN in a step makes the means over that step NaN.
LossSummary summarize(const std::vector<StepValue>& losses);

}  // namespace ampprof::queries

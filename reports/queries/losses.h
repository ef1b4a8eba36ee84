// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/step.h"

namespace ampprof::queries {

/// A recorded loss value.
struct LossRow {
  std::int64_t run = 0;
  std::string level;
  std::int64_t step = 0;
  LossValue loss;
  /// Change of this loss in this step due to differing decisions, summed over micro-batches: the run's loss, minus the
  /// loss of the step without rounding, minus the sum of all impacts on this loss except those of decisions. Empty if
  /// no differing decision influences this loss, or if an impact is unknown.
  std::optional<double> by_decisions = {};
};

/// A number per step.
struct StepValue {
  std::int64_t step = 0;
  double value = 0.0;

  bool operator==(const StepValue&) const = default;
};

/// One value of one loss. A step may have several values of a loss (micro-batches), and several losses.
struct StepLoss {
  std::int64_t step = 0;
  std::int64_t loss_id = 0;
  double value = 0.0;
};

/// The mean loss of at most 10 steps at one end of a run. Each step counts with one loss, as loss_by_step() returns it.
struct LossWindow {
  std::optional<double> mean = {};   ///< over the steps whose loss is finite; empty if none is
  std::optional<double> noise = {};  ///< standard error of the mean; empty with a single step
  std::int64_t nonfinite = 0;        ///< steps whose loss is NaN or inf
};

/// The losses of a run at its beginning and at its end.
struct LossSummary {
  std::optional<double> initial = {};  ///< sum of the first values of each loss in the first step
  std::optional<double> final = {};    ///< sum of the last values of each loss in the last step
  LossWindow first = {};
  LossWindow last = {};
  std::int64_t nonfinite = 0;   ///< number of loss values in the run that are NaN or inf
  bool ends_nonfinite = false;  ///< the losses of the last three steps (of all, if there are fewer) are NaN or inf
  /// Mean over the first steps minus the mean over the last, and its standard error. Each end has at most 10 steps, and
  /// the ends do not overlap. Empty if an end has fewer than two finite steps.
  std::optional<double> fall = {};
  std::optional<double> fall_noise = {};
};

/// Returns the losses in the order of the run.
std::vector<LossRow> losses(const Report& report, RunFilter run = {});

/// Difference between the summed losses of a step and those of its shadow. With --what-if: loss in the recipe minus
/// loss of the run. For a run in reduced precision: loss of the run minus loss without rounding.
struct LossChange {
  std::int64_t run = 0;
  std::int64_t step = 0;
  double change = 0.0;
};
/// Returns the changes by run and step, for steps with a shadow. Returns none for a program in reduced precision that
/// was judged in a recipe: the shadow lacks the program's own roundings, so it differs by more than the recipe.
std::vector<LossChange> loss_changes(const Report& report, RunFilter run = {});

/// Returns each value of each loss of one run, in the order of the run.
std::vector<StepLoss> step_losses(const Report& report, std::int64_t run);

/// Returns one loss per step of a run, ascending. Averages the values of each loss in the step, and adds the averages.
std::vector<StepValue> loss_by_step(const Report& report, std::int64_t run);

/// Returns one loss per step, ascending. Averages the values of each loss id in the step, and adds the averages.
std::vector<StepValue> loss_by_step(std::vector<StepLoss> losses);

/// Summarizes the losses of one run. Values of the same step and loss must be in the order of the run.
LossSummary summarize(std::vector<StepLoss> losses);

}  // namespace ampprof::queries

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
  /// Change of this loss in this step by decisions that differ, micro-batches added up: the run's less that of the step
  /// without rounding, less the sum of its other loss impacts, which keep the run's decisions. Empty where none differ
  /// on the way to it, or a loss impact is not known.
  std::optional<double> by_decisions = {};
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

/// The loss over the steps at one end of a run, at most 10. The losses of a step are added up (loss_by_step()).
struct LossWindow {
  std::optional<double> mean = {};   ///< over the steps whose loss is finite; empty where none is
  std::optional<double> noise = {};  ///< standard error of the mean; empty with a single step
  std::int64_t nonfinite = 0;        ///< steps whose loss is NaN or inf
};

/// Tells what the losses of a run are at its beginning and at its end.
struct LossSummary {
  std::optional<double> initial = {};  ///< first value of each loss in the first step, added up
  std::optional<double> final = {};    ///< last value of each loss in the last step, added up
  LossWindow first = {};
  LossWindow last = {};
  std::int64_t nonfinite = 0;   ///< values that are NaN or inf, of the whole run
  bool ends_nonfinite = false;  ///< so is each of the last steps: of three, or of all where there are fewer
  /// The mean over the first steps less that over the last, at most 10 each and none in both, and the standard error
  /// of that. Empty where either end has fewer than two finite steps.
  std::optional<double> fall = {};
  std::optional<double> fall_noise = {};
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

/// Returns each value of each loss of one run, in its order.
std::vector<StepLoss> step_losses(const Report& report, std::int64_t run);

/// Returns one loss for each step of one run, ascending: the sum over losses of the mean over a step's values.
std::vector<StepValue> loss_by_step(const Report& report, std::int64_t run);

/// Returns one loss for each step, ascending: the sum over loss ids of the mean over its values.
std::vector<StepValue> loss_by_step(std::vector<StepLoss> losses);

/// Summarizes the losses of one run. Values of one step and loss are in their order.
LossSummary summarize(std::vector<StepLoss> losses);

}  // namespace ampprof::queries

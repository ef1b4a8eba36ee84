// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "reports/recording/options.h"

namespace ampprof::profiler {

/// Chooses the steps that are recorded: the steps that the user's options select, and, if ampprof's share of the run
/// time is bounded, only as many of them as fit into that share.
///
/// A step that would exceed the share is skipped until enough time has passed. With inherited error or impact,
/// kDeepPart of the share is for deep steps, in which everything is measured; the rest is for cheaper steps with local
/// errors and loss impact. The first steps are always recorded, so that findings come early, and so are the steps after
/// a nonfinite loss. The choice for a step does not change. Not thread-safe.
class StepChoice {
 public:
  static constexpr double kDeepPart = 0.4;
  static constexpr std::int64_t kFirstSteps = 2;
  static constexpr std::int64_t kCloseSteps = 3;  ///< steps recorded after a nonfinite loss
  /// If the user sets no bound, all selected steps are recorded for kFullNs, and then as many as kDefaultShare allows.
  static constexpr std::int64_t kFullNs = 30'000'000'000;
  static constexpr double kDefaultShare = 0.25;

  /// Returns whether calls of a step are recorded. `now_ns`: the time since the recording began. `overhead_ns`:
  /// ampprof's own part of that time. Neither may decrease from call to call.
  bool records(const recording::Options& options, std::int64_t step, std::int64_t now_ns, std::int64_t overhead_ns);

  /// From now on, selects every Nth step (N is `every`) instead of the steps that the options select; 0 selects no
  /// step. If `every` is empty, the options apply again.
  void record_every(std::optional<std::int64_t> every) { every_ = every; }
  /// Makes `steps` steps deep, beginning with step `first`, regardless of any bound.
  void record_deep(std::int64_t first, std::int64_t steps);
  /// Returns whether loss impact is measured in a recorded step.
  bool is_sampled(const recording::Options& options, std::int64_t step) const;
  /// Returns whether inherited error and gradient impact are measured in a recorded step.
  bool is_followed(const recording::Options& options, std::int64_t step) const;
  /// Returns whether the step is deep: everything is measured, however costly.
  bool is_in_full(std::int64_t step) const;

  /// A bound on ampprof's share of the time that its work in unrecorded steps already exceeds.
  struct Exceeded {
    double bound = 0.0;
    double share = 0.0;  ///< ampprof's time in steps that are not recorded, divided by the program's own time
  };
  /// Returns the bound in force if it is exceeded; else empty. Times are as in records().
  std::optional<Exceeded> exceeded(const recording::Options& options, std::int64_t now_ns,
                                   std::int64_t overhead_ns) const;

  /// Notes whether a step's loss was finite. After the first nonfinite loss, the next kCloseSteps steps are recorded.
  void loss_seen(std::int64_t step, bool is_finite);

 private:
  /// Times since the recording began.
  struct Times {
    std::int64_t program_ns = 0;   ///< time of the program without ampprof's own
    std::int64_t overhead_ns = 0;  ///< ampprof's own time
  };

  enum class Detail : std::uint8_t { None, Local, Deep };

  /// Costs of all deep steps, or of all local steps. Each of the two kinds has its own part of the share.
  struct Account {
    double cost_ns = 0.0;   ///< moving average of the cost of a step
    double taken_ns = 0.0;  ///< sum of the costs of all steps
  };

  bool is_deep(std::int64_t step) const { return step >= deep_first_ && step < deep_end_; }
  bool is_asked_for(const recording::Options& options, std::int64_t step, std::int64_t now_ns) const;
  Detail choose(const recording::Options& options, std::int64_t step, const Times& now);
  void learn(std::int64_t step, const Times& now);
  std::int64_t stride(double share, double cost_ns) const;

  std::map<std::int64_t, Detail> chosen_;  ///< the latest kKept choices under a bound, by step
  Times bounded_since_;                    ///< times at which the bound began to apply; the share is counted from there
  bool is_bounded_ = false;                ///< a bound applies
  Times begun_;                            ///< times at the latest choice
  std::int64_t last_step_ = 0;             ///< step of the latest choice
  Detail latest_ = Detail::None;           ///< result of the latest choice
  Account local_;                          ///< costs of steps with local errors and loss impact
  Account deep_;                           ///< costs of deep steps
  double step_ns_ = 0.0;                   ///< moving average of the program's own time per step
  bool is_loss_finite_ = true;
  std::int64_t close_steps_ = 0;       ///< number of steps still to record after a nonfinite loss
  std::optional<std::int64_t> every_;  ///< argument of record_every(); if empty, the options apply
  std::int64_t deep_first_ = 0;
  std::int64_t deep_end_ = 0;  ///< the step after the last deep one
};

}  // namespace ampprof::profiler

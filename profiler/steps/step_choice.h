// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "reports/recording/options.h"

namespace ampprof::profiler {

/// Chooses the steps that are recorded: the steps that the user wants, and under a bound as many of them as ampprof's
/// share of the time pays for. A step that costs more than the rest of the share waits until the program has earned it.
/// With inherited error or impact, kDeepPart of the share pays for deep steps, which have all figures. More steps have
/// local errors and loss impact, which cost less. The first steps are always recorded, so that findings come early. So
/// are the steps after a loss that is not finite. A step always gets the same answer. Not thread-safe.
class StepChoice {
 public:
  static constexpr double kDeepPart = 0.4;
  static constexpr std::int64_t kFirstSteps = 2;
  static constexpr std::int64_t kCloseSteps = 3;  ///< after a loss that is not finite
  /// Without a bound by the user, a recording takes all steps for this long, and then the steps that kDefaultShare pays
  /// for.
  static constexpr std::int64_t kFullNs = 30'000'000'000;
  static constexpr double kDefaultShare = 0.25;

  /// Returns whether calls of a step are recorded. `now_ns` and `overhead_ns`, ampprof's own part of it, count from the
  /// beginning of the recording. Neither may decrease.
  bool records(const recording::Options& options, std::int64_t step, std::int64_t now_ns, std::int64_t overhead_ns);

  /// Chooses every Nth step from here on, whatever the options say; no step with 0. Without a number, the options apply
  /// again.
  void record_every(std::optional<std::int64_t> every) { every_ = every; }
  /// Chooses `steps` steps from `first` on, without regard to a bound.
  void record_deep(std::int64_t first, std::int64_t steps);
  /// Returns whether a chosen step has loss impact too.
  bool is_sampled(const recording::Options& options, std::int64_t step) const;
  /// Returns whether a chosen step has inherited error and gradient impact too.
  bool is_followed(const recording::Options& options, std::int64_t step) const;
  /// Returns whether a step has all figures: record_deep() chose it, or a bound leaves few steps of its kind.
  bool is_in_full(std::int64_t step) const;

  /// Takes the finiteness of a step's loss. The first nonfinite loss after finite ones makes the next steps be
  /// recorded.
  void loss_seen(std::int64_t step, bool is_finite);

 private:
  /// Time since the recording began, or since a bound applies.
  struct Times {
    std::int64_t program_ns = 0;
    std::int64_t overhead_ns = 0;
  };

  enum class Detail : std::uint8_t { None, Local, Deep };

  /// Costs of one kind of steps. No kind may use the other's part of the share.
  struct Account {
    double cost_ns = 0.0;   ///< of one step, lately
    double taken_ns = 0.0;  ///< of all steps
  };

  bool is_deep(std::int64_t step) const { return step >= deep_first_ && step < deep_end_; }
  bool is_asked_for(const recording::Options& options, std::int64_t step, std::int64_t now_ns) const;
  Detail choose(const recording::Options& options, std::int64_t step, const Times& now);
  void learn(std::int64_t step, const Times& now);
  std::int64_t stride(double share, double cost_ns) const;

  std::map<std::int64_t, Detail> chosen_;  ///< the latest steps under a bound
  Times bounded_since_;                    ///< when the bound began to apply; time before earns nothing
  bool is_bounded_ = false;                ///< a bound applies
  Times begun_;                            ///< when the latest step was chosen
  std::int64_t last_step_ = 0;             ///< the latest step
  Detail latest_ = Detail::None;           ///< its figures
  Account local_;                          ///< steps with local errors and loss impact
  Account deep_;                           ///< steps with all figures
  double step_ns_ = 0.0;                   ///< the program's time for a step, lately
  bool is_loss_finite_ = true;
  std::int64_t close_steps_ = 0;       ///< still to record
  std::optional<std::int64_t> every_;  ///< see record_every(); empty: the options apply
  std::int64_t deep_first_ = 0;
  std::int64_t deep_end_ = 0;  ///< the step after the last
};

}  // namespace ampprof::profiler

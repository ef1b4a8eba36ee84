// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "reports/recording/options.h"

namespace ampprof::profiler {

/// Chooses the steps that are recorded: those that the user asked for and, under a bound, as many of them as ampprof's
/// share of the time allows. A step that costs more than what is left waits until the program has earned it. Where
/// inherited error or impact is asked for, kDeepPart of the share pays for deep steps, which have all figures. Local
/// errors and loss impact cost less, and more steps have them. The first steps are recorded in any case, so that
/// findings come early, and so are those after a loss that is not finite. Whoever asks, and however often, a step has one answer. Not thread-safe.
class StepChoice {
 public:
  static constexpr double kDeepPart = 0.4;
  static constexpr std::int64_t kFirstSteps = 2;
  static constexpr std::int64_t kCloseSteps = 3;  ///< after a loss that is not finite
  /// Without a bound that the user names, a recording takes all steps for this long, then those that kDefaultShare
  /// pays for.
  static constexpr std::int64_t kFullNs = 30'000'000'000;
  static constexpr double kDefaultShare = 0.25;

  /// Returns whether calls of a step are recorded. `now_ns` and `overhead_ns`, ampprof's own part of it, are since the
  /// recording began; neither decreases.
  bool records(const recording::Options& options, std::int64_t step, std::int64_t now_ns, std::int64_t overhead_ns);

  /// Chooses of every Nth step from here on, whatever was asked for at the start; none at all with 0; as it was asked
  /// for at the start without a number.
  void record_every(std::optional<std::int64_t> every) { every_ = every; }
  /// Chooses `steps` steps from `first` on, without regard to any bound.
  void record_deep(std::int64_t first, std::int64_t steps);
  /// Returns whether a chosen step has loss impact too.
  bool is_sampled(const recording::Options& options, std::int64_t step) const;
  /// Returns whether a chosen step has inherited error and gradient impact too.
  bool is_followed(const recording::Options& options, std::int64_t step) const;
  /// Returns whether a step has all figures: it was asked for by record_deep(), or a bound has few of its kind.
  bool is_in_full(std::int64_t step) const;

  /// The loss of a step is known. The first that is not finite after finite ones brings on close steps.
  void loss_seen(std::int64_t step, bool is_finite);

 private:
  /// The time since the recording began, or since a bound holds.
  struct Times {
    std::int64_t program_ns = 0;
    std::int64_t overhead_ns = 0;
  };

  enum class Detail : std::uint8_t { None, Local, Deep };

  /// Counts what steps of one kind cost: neither kind may live on the other's part of the share.
  struct Account {
    double cost_ns = 0.0;   ///< of one, lately
    double taken_ns = 0.0;  ///< of all
  };

  bool is_deep(std::int64_t step) const { return step >= deep_first_ && step < deep_end_; }
  bool is_asked_for(const recording::Options& options, std::int64_t step, std::int64_t now_ns) const;
  Detail choose(const recording::Options& options, std::int64_t step, const Times& now);
  void learn(std::int64_t step, const Times& now);
  std::int64_t stride(double share, double cost_ns) const;

  std::map<std::int64_t, Detail> chosen_;  ///< the latest steps under a bound
  Times bounded_since_;                    ///< when the bound began to hold: what came before earns nothing
  bool is_bounded_ = false;                ///< it holds
  Times begun_;                            ///< when the latest step was chosen
  std::int64_t last_step_ = 0;             ///< that one
  Detail latest_ = Detail::None;           ///< what is recorded of it
  Account local_;                          ///< steps with local errors and loss impact
  Account deep_;                           ///< steps with all figures
  double step_ns_ = 0.0;                   ///< what the program takes for a step, lately
  bool is_loss_finite_ = true;
  std::int64_t close_steps_ = 0;       ///< left
  std::optional<std::int64_t> every_;  ///< see record_every(); empty: the options say
  std::int64_t deep_first_ = 0;
  std::int64_t deep_end_ = 0;  ///< the step behind the last
};

}  // namespace ampprof::profiler

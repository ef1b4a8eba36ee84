// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include "reports/recording/options.h"

namespace ampprof::profiler {

/// Chooses the steps that are recorded: those that the user asked for and, with --overhead, as many of them as its
/// share of the time allows. A step that costs more than what is left waits until the program has earned it. The first
/// steps are recorded in any case, so that findings come early. Whoever asks, and however often, a step has one answer.
/// Not thread-safe.
class StepChoice {
 public:
  static constexpr std::int64_t kFirstSteps = 2;

  /// Returns whether calls of a step are recorded. `now_ns` and `overhead_ns`, ampprof's own part of it, are since the
  /// recording began; neither decreases.
  bool records(const recording::Options& options, std::int64_t step, std::int64_t now_ns, std::int64_t overhead_ns);

 private:
  bool affords(double share, std::int64_t step, std::int64_t now_ns, std::int64_t overhead_ns);
  void learn(std::int64_t overhead_ns);

  std::map<std::int64_t, bool> chosen_;  ///< the latest steps
  double cost_ns_ = 0.0;                 ///< of a recorded step, lately
  std::int64_t begun_overhead_ns_ = 0;   ///< when the latest one was chosen
  bool is_recording_ = false;            ///< the latest one that was chosen is recorded
};

}  // namespace ampprof::profiler

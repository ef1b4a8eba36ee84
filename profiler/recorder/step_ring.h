// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include "reports/records/batch.h"

namespace ampprof::profiler {

/// Keeps what was recorded in the calls of the latest steps, and lets go of older ones, until something happens that
/// makes it worth writing (`ampprof run --ring N`). What a step has without its calls passes: its times, losses, loss
/// scales, events, NVTX ranges. Not thread-safe.
class StepRing {
 public:
  explicit StepRing(std::int64_t steps) : steps_(steps) {}

  /// Takes out of the batch what is kept. `has_happened`: adds all that is kept instead, and lets what comes of this
  /// step and of the next pass. Adds to `missing` how many segments it lets go of.
  void take(Batch& batch, bool has_happened);
  /// Lets go of all that is kept, likewise.
  void let_go(Batch& batch);

 private:
  /// More calls than these are not kept, whatever the steps: a step may be long, or never end.
  static constexpr std::size_t kMostCalls = std::size_t{1} << 19;

  void note_steps(const Batch& batch);
  bool passes(std::int64_t segment) const;
  void keep(Batch& batch);
  std::int64_t first_to_keep() const;
  void let_go_before(std::int64_t segment, Batch& batch);
  void give_back(Batch& batch);

  std::int64_t steps_;
  Batch kept_;                                    ///< with the segments of these steps
  std::map<std::int64_t, std::int64_t> step_of_;  ///< of the latest segments
  std::int64_t first_ = 0;                        ///< segment before which nothing is kept
  std::int64_t passes_until_ = 0;                 ///< the step behind the last that passes
};

/// Returns whether a batch tells of something that led steps are kept for: NaN or inf in a call, in a loss, or in
/// gradients that a loss scaler saw.
bool tells_of_nonfinite(const Batch& batch);

}  // namespace ampprof::profiler

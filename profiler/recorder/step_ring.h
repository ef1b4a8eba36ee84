// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reports/records/batch.h"

namespace ampprof::profiler {

/// Keeps what was recorded in the calls of the latest steps, and lets go of older ones, until something happens that
/// makes it worth writing (`ampprof run --ring N`). Steps, losses, loss scales and events pass it. Not thread-safe.
class StepRing {
 public:
  explicit StepRing(std::int64_t steps) : steps_(steps) {}

  /// Takes out of the batch what is kept. `has_happened`: adds all that is kept instead, and lets what comes of this
  /// step and of the next pass. Adds to `missing` what it lets go of.
  void take(Batch& batch, bool has_happened);
  /// Lets go of all that is kept, likewise.
  void let_go(Batch& batch) { let_go_of_steps(newest_step_, batch); }

 private:
  void keep(Batch& batch);
  void let_go_of_steps(std::int64_t last, Batch& batch);
  void give_back(Batch& batch);

  std::int64_t steps_;
  Batch kept_;  ///< with the segments of these steps
  std::int64_t newest_step_ = 0;
  std::int64_t passes_until_ = 0;  ///< the step behind the last that passes
};

/// Returns whether a batch tells of something that led steps are kept for: NaN or inf in a call, in a loss, or in
/// gradients that a loss scaler saw.
bool tells_of_nonfinite(const Batch& batch);

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include "reports/records/batch.h"

namespace ampprof::profiler {

/// Keeps the records of calls in the latest steps, and drops older ones, until an event makes them worth writing
/// (`ampprof run --ring N`). Does not hold back the other records of a step: times, losses, loss scales, events, NVTX
/// ranges. Not thread-safe.
class StepRing {
 public:
  explicit StepRing(std::int64_t steps) : steps_(steps) {}

  /// Moves the records to keep from the batch into the ring. If `has_happened` (an event has happened), moves all kept
  /// records to the batch instead, and lets records of this step and the next one pass. Adds the number of dropped
  /// segments to `missing`.
  void take(Batch& batch, bool has_happened);
  /// Drops all kept records, and adds the number of their segments to `missing`.
  void drop_kept(Batch& batch);

 private:
  /// Limit of kept calls. It also applies to a single step, which may be long or never end.
  static constexpr std::size_t kMostCalls = std::size_t{1} << 19;

  void note_steps(const Batch& batch);
  bool passes(std::int64_t segment) const;
  void keep(Batch& batch);
  std::int64_t first_to_keep() const;
  void let_go_before(std::int64_t segment, Batch& batch);
  void give_back(Batch& batch);

  std::int64_t steps_;
  Batch kept_;                                    ///< includes the rows of the kept segments
  std::map<std::int64_t, std::int64_t> step_of_;  ///< step of each of the latest segments
  std::int64_t first_ = 0;                        ///< records before this segment are not kept
  std::int64_t passes_until_ = 0;                 ///< records of steps before this one pass through
};

/// Returns whether a batch has an event for which the ring is written: NaN or inf in a call, in a loss, or in gradients
/// that a loss scaler checked.
bool has_nonfinite_event(const Batch& batch);

}  // namespace ampprof::profiler

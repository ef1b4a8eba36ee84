// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include "reports/records/batch.h"

namespace ampprof::profiler {

/// Keeps the calls' records of the latest steps, and drops older ones, until something happens that is worth writing
/// (`ampprof run --ring N`). Records of a step without its calls pass: its times, losses, loss scales, events, NVTX
/// ranges. Not thread-safe.
class StepRing {
 public:
  explicit StepRing(std::int64_t steps) : steps_(steps) {}

  /// Takes the records to keep out of the batch. With `has_happened`, adds all kept records instead, and lets the
  /// records of this step and of the next pass. Adds the number of dropped segments to `missing`.
  void take(Batch& batch, bool has_happened);
  /// Drops all kept records, likewise.
  void let_go(Batch& batch);

 private:
  /// The most calls to keep, whatever the steps: a step may be long, or never end.
  static constexpr std::size_t kMostCalls = std::size_t{1} << 19;

  void note_steps(const Batch& batch);
  bool passes(std::int64_t segment) const;
  void keep(Batch& batch);
  std::int64_t first_to_keep() const;
  void let_go_before(std::int64_t segment, Batch& batch);
  void give_back(Batch& batch);

  std::int64_t steps_;
  Batch kept_;                                    ///< includes the segments of these steps
  std::map<std::int64_t, std::int64_t> step_of_;  ///< of the latest segments
  std::int64_t first_ = 0;                        ///< nothing before this segment is kept
  std::int64_t passes_until_ = 0;                 ///< the step after the last that passes
};

/// Returns whether a batch has what led steps are kept for: NaN or inf in a call, in a loss, or in gradients that a
/// loss scaler saw.
bool tells_of_nonfinite(const Batch& batch);

}  // namespace ampprof::profiler

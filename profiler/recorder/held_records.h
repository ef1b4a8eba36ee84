// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "profiler/steps/between_steps.h"
#include "reports/records/batch.h"

namespace ampprof::profiler {

/// Keeps back what was recorded of calls whose segment is not known yet. Not thread-safe.
class HeldRecords {
 public:
  /// Puts segments in the place of numbers that they stood for, `placed` and those of earlier calls of this. Takes out
  /// of the batch what still waits, and what is not recorded after all; adds what waited for `placed`.
  void take(std::span<const HeldCalls> placed, Batch& batch);

 private:
  /// Ranges that records may still come of: a GPU's come late.
  static constexpr std::size_t kMostKnown = 1 << 16;

  /// Returns null where it is not known yet.
  const HeldCalls* range_of(std::int64_t number) const;
  void add_known(std::span<const HeldCalls> placed);

  Batch waiting_;
  std::map<std::int64_t, HeldCalls> known_;  ///< by the first number
};

}  // namespace ampprof::profiler

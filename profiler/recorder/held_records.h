// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "profiler/steps/between_steps.h"
#include "reports/records/batch.h"

namespace ampprof::profiler {

/// Holds records of calls between two steps until their segment is known. Not thread-safe.
class HeldRecords {
 public:
  /// Replaces the numbers of held calls in the batch by segments, which it finds in `placed` of this or of an earlier
  /// take(). Moves records whose segment is still unknown from the batch into this object. Drops records whose segment
  /// is not recorded. Moves waiting records whose segment is in `placed` to the batch.
  void take(std::span<const HeldCalls> placed, Batch& batch);

 private:
  /// Limit of remembered ranges of held calls. Some records of a range come late, such as GPU activities.
  static constexpr std::size_t kMostKnown = 1 << 16;

  /// Returns the range that contains a held call's number; null if its segment is not known yet.
  const HeldCalls* range_of(std::int64_t number) const;
  void add_known(std::span<const HeldCalls> placed);

  Batch waiting_;
  std::map<std::int64_t, HeldCalls> known_;  ///< keyed by the first number of the range
};

}  // namespace ampprof::profiler

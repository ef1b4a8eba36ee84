// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "profiler/steps/between_steps.h"
#include "reports/records/batch.h"

namespace ampprof::profiler {

/// Holds records of calls whose segment is not known yet. Not thread-safe.
class HeldRecords {
 public:
  /// Replaces numbers by the segments that they stood for, from `placed` and from earlier calls of this function. Takes
  /// records out of the batch that still wait, or that are not recorded after all. Adds the records that waited for
  /// `placed`.
  void take(std::span<const HeldCalls> placed, Batch& batch);

 private:
  /// The most ranges to remember. Records of a range may come late, as a GPU's do.
  static constexpr std::size_t kMostKnown = 1 << 16;

  /// Returns null if the segment is not known yet.
  const HeldCalls* range_of(std::int64_t number) const;
  void add_known(std::span<const HeldCalls> placed);

  Batch waiting_;
  std::map<std::int64_t, HeldCalls> known_;  ///< by the first number
};

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::profiler {

/// Chooses the segments with costly figures: the first ones, so that short runs have all, then one of kEvery. kEvery is
/// odd, so that nets that take turns in a step all get figures. Not thread-safe.
class ChosenSegments {
 public:
  static constexpr std::int64_t kFirst = 16;
  static constexpr std::int64_t kEvery = 17;

  /// Returns whether the next segment is chosen.
  bool next() {
    ++seen_;
    return seen_ <= kFirst || (seen_ - kFirst) % kEvery == 0;
  }

 private:
  std::int64_t seen_ = 0;
};

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::profiler {

/// Chooses the segments in which costly statistics are measured: the first kFirst, so that short programs are measured
/// completely, then one of every kEvery. kEvery is odd, so that the two segments of a step (as in a GAN) are chosen
/// alternately. Not thread-safe.
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

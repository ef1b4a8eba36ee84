// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::profiler {

/// Chooses the segments that costly figures are taken of: the first ones, so that short runs have all, then one of
/// kEvery. That number is odd, so that nets that take turns in a step all have theirs. Not thread-safe.
class ChosenSegments {
 public:
  static constexpr std::int64_t kFirst = 16;
  static constexpr std::int64_t kEvery = 17;

  /// `all`: each of them (`ampprof run --overhead off`).
  explicit ChosenSegments(bool all) : all_(all) {}

  /// Returns whether a segment is chosen; one after the other, and each as often as anybody asks.
  bool chooses(std::int64_t segment) {
    if (segment != last_) ++seen_;
    last_ = segment;
    return all_ || seen_ <= kFirst || (seen_ - kFirst) % kEvery == 0;
  }

 private:
  bool all_;
  std::int64_t last_ = -1;
  std::int64_t seen_ = 0;
};

}  // namespace ampprof::profiler

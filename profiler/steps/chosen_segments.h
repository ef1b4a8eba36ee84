// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
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

  /// Returns whether a segment is chosen; one after the other or a few at a time, and each as often as anybody asks.
  bool chooses(std::int64_t segment) {
    const auto known = std::ranges::find(latest_, segment, &Known::segment);
    if (known != latest_.end()) return known->is_chosen;
    ++seen_;
    const bool is_chosen = all_ || seen_ <= kFirst || (seen_ - kFirst) % kEvery == 0;
    latest_[static_cast<std::size_t>(seen_) % latest_.size()] = {segment, is_chosen};
    return is_chosen;
  }

 private:
  struct Known {
    std::int64_t segment = -1;
    bool is_chosen = false;
  };

  bool all_;
  std::array<Known, 8> latest_{};  ///< training loops on several threads take turns call by call
  std::int64_t seen_ = 0;
};

}  // namespace ampprof::profiler

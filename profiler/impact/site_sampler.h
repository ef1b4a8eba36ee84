// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::profiler {

/// Chooses the call sites whose errors are kept in a step, so that they fit a memory budget.
///
/// Each call site is chosen with the same probability, anew in each step and without regard to its size, so the mean
/// over the steps in which it was chosen is an unbiased estimate; the report states its standard error. The probability
/// follows from what all errors of the step before would have taken. The first step has none before it: there, errors
/// that do not fit are left out as they come. Not thread-safe.
class SiteSampler {
 public:
  explicit SiteSampler(std::int64_t budget_bytes) : budget_(budget_bytes) {}

  /// Returns whether this call's error of `bytes` is kept in this segment. Deterministic.
  [[nodiscard]] bool chooses(std::int64_t segment, std::int64_t call_site, std::int64_t bytes);

  double probability() const { return probability_; }
  /// Returns how many errors were chosen but did not fit: the probability was too high.
  std::int64_t left_out() const { return left_out_; }

 private:
  void begin(std::int64_t segment);

  std::int64_t budget_;
  std::int64_t segment_ = -1;
  std::int64_t asked_ = 0;   ///< bytes of all errors of this segment
  std::int64_t chosen_ = 0;  ///< bytes of those chosen
  double probability_ = 1.0;
  std::int64_t left_out_ = 0;
};

}  // namespace ampprof::profiler

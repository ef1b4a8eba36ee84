// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::profiler {

/// Chooses the call sites whose errors are kept in a step, so that they fit a memory budget.
///
/// Each step draws each call site anew, with a probability that does not depend on the size of its error. So the mean
/// over the steps in which a site was drawn is an unbiased estimate, whose standard error the report states. The
/// probability follows from the bytes that all errors of the previous step would have taken. The first step keeps
/// errors in the order of the calls, and leaves out errors that do not fit. Not thread-safe.
class SiteSampler {
 public:
  explicit SiteSampler(std::int64_t budget_bytes) : budget_(budget_bytes) {}

  /// Returns whether this call's error of `bytes` is kept in this segment. Deterministic.
  [[nodiscard]] bool chooses(std::int64_t segment, std::int64_t call_site, std::int64_t bytes);

  double probability() const { return probability_; }
  /// Returns how many errors were drawn but did not fit, because the probability was too high.
  std::int64_t left_out() const { return left_out_; }

 private:
  void begin(std::int64_t segment);

  std::int64_t budget_;
  std::int64_t segment_ = -1;
  std::int64_t asked_ = 0;   ///< bytes of all errors in this segment, kept or not
  std::int64_t chosen_ = 0;  ///< bytes of the chosen errors
  double probability_ = 1.0;
  std::int64_t left_out_ = 0;
};

}  // namespace ampprof::profiler

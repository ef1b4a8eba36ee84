// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "reports/records/records.h"

namespace ampprof::profiler {

/// Where NaN and inf came from since the last decision of a loss scaler, and where they went. Thread-safe.
class NonfiniteTrace {
 public:
  struct Origin {
    std::int64_t call_site = 0;
    Phase phase = Phase::Forward;
    std::optional<double> scale{};           ///< loss scale in force; empty in forward
    std::optional<double> reference_amax{};  ///< what the output should have been, where a finite reference exists
  };

  /// True while the first call with non-finite outputs is still looked for: its inputs must then be examined.
  bool looks_for_origin() const {
    const std::lock_guard lock(mutex_);
    return !closed_;
  }
  /// A call turned finite inputs into NaN or inf.
  void found(const Origin& origin) {
    const std::lock_guard lock(mutex_);
    if (!closed_) origin_ = origin;
    closed_ = true;
  }
  /// The first NaN or inf came in from outside (a weight, the input): no op is to blame.
  void came_in() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  void spread_to(std::int64_t call_site) {
    const std::lock_guard lock(mutex_);
    if (chain_.size() < kLongestChain) chain_.push_back(call_site);
  }

  std::optional<Origin> origin() const {
    const std::lock_guard lock(mutex_);
    return origin_;
  }
  std::vector<std::int64_t> chain() const {
    const std::lock_guard lock(mutex_);
    return chain_;
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    forget();
  }
  /// An update is over. A weight that it spoilt is the cause of what the next backward will show.
  void clear_unless_from_optimizer() {
    const std::lock_guard lock(mutex_);
    if (!origin_ || origin_->phase != Phase::Optimizer) forget();
  }

 private:
  static constexpr std::size_t kLongestChain = 64;

  void forget() {
    closed_ = false;
    origin_.reset();
    chain_.clear();
  }

  mutable std::mutex mutex_;
  bool closed_ = false;
  std::optional<Origin> origin_;
  std::vector<std::int64_t> chain_;
};

}  // namespace ampprof::profiler

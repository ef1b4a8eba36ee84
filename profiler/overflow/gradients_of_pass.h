// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "reports/records/event.h"

namespace ampprof::profiler {

/// Keeps the order in which a backward pass made gradients, and how large the largest of them is without rounding.
/// Thread-safe.
class GradientsOfPass {
 public:
  /// Tells of each call of backward, and of the parameter whose gradient is accumulated around it; "" elsewhere.
  /// Returns the place of the first gradient, in their order, that what the call makes can reach.
  std::int64_t place_of_call(const std::string& parameter) {
    const std::lock_guard lock(mutex_);
    if (parameter != accumulated_ && !parameter.empty()) places_[parameter] = ++gradients_;
    accumulated_ = parameter;
    return parameter.empty() ? gradients_ + 1 : gradients_;
  }

  /// Sorts parameters as their gradients were accumulated, before them those from place `first` on, and behind them
  /// those that nobody saw.
  void sort(std::vector<EventParameter>& parameters, std::int64_t first) const {
    const std::lock_guard lock(mutex_);
    const auto order_of = [&](const EventParameter& parameter) {
      const auto seen = places_.find(parameter.name);
      const bool is_seen = seen != places_.end();
      return std::tuple(!is_seen, is_seen && seen->second < first, is_seen ? seen->second : 0);
    };
    std::ranges::stable_sort(parameters, {}, order_of);
  }

  /// Takes the largest gradient that a backward op would have made at this scale, had nothing been rounded.
  void without_rounding(double amax, double scale) {
    const std::lock_guard lock(mutex_);
    if (scale > 0 && std::isfinite(amax)) largest_ = std::max(largest_, amax / scale);
  }
  /// Returns the largest of these, unscaled; 0 without any.
  double largest() const {
    const std::lock_guard lock(mutex_);
    return largest_;
  }

  /// Forgets all: the gradients were used, and those that follow are of another pass.
  void clear() {
    const std::lock_guard lock(mutex_);
    places_.clear();
    accumulated_.clear();
    gradients_ = 0;
    largest_ = 0.0;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::int64_t> places_;  ///< of the latest gradient of each parameter, from 1
  std::string accumulated_;                               ///< around the latest call; "" outside
  std::int64_t gradients_ = 0;
  double largest_ = 0.0;
};

}  // namespace ampprof::profiler

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

/// Keeps the order in which a backward pass made gradients, and the size of the largest gradient without rounding.
/// Thread-safe.
class GradientsOfPass {
 public:
  /// Takes each call of backward, and the parameter whose gradient it accumulates; "" for other calls. Returns the
  /// place, in the order of gradients, of the first gradient that the call's results can reach.
  std::int64_t place_of_call(const std::string& parameter) {
    const std::lock_guard lock(mutex_);
    if (parameter != accumulated_ && !parameter.empty()) places_[parameter] = ++gradients_;
    accumulated_ = parameter;
    return parameter.empty() ? gradients_ + 1 : gradients_;
  }

  /// Sorts parameters in the order in which their gradients were accumulated. Parameters from place `first` on come
  /// first; those without a place come last.
  void sort(std::vector<EventParameter>& parameters, std::int64_t first) const {
    const std::lock_guard lock(mutex_);
    const auto order_of = [&](const EventParameter& parameter) {
      const auto seen = places_.find(parameter.name);
      const bool is_seen = seen != places_.end();
      return std::tuple(!is_seen, is_seen && seen->second < first, is_seen ? seen->second : 0);
    };
    std::ranges::stable_sort(parameters, {}, order_of);
  }

  /// Takes the largest gradient that a backward op would have made at this scale without any rounding.
  void without_rounding(double amax, double scale) {
    const std::lock_guard lock(mutex_);
    if (scale > 0 && std::isfinite(amax)) largest_ = std::max(largest_, amax / scale);
  }
  /// Returns the largest of these gradients, unscaled; 0 without any.
  double largest() const {
    const std::lock_guard lock(mutex_);
    return largest_;
  }

  /// Forgets all gradients. They were used, and the next ones are of another pass.
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
  std::string accumulated_;  ///< parameter whose gradient the latest call added to; "" for none
  std::int64_t gradients_ = 0;
  double largest_ = 0.0;
};

}  // namespace ampprof::profiler

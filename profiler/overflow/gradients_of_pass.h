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

/// Remembers in which order a backward pass made gradients, and the magnitude that the largest gradient would have
/// without rounding. Thread-safe.
class GradientsOfPass {
 public:
  /// Called for each op call of a backward pass. `parameter`: the parameter whose gradient the call accumulates, or "".
  /// Returns the position, from 1 in the order of gradients, of the first gradient that the call's results can reach.
  std::int64_t place_of_call(const std::string& parameter) {
    const std::lock_guard lock(mutex_);
    if (parameter != accumulated_ && !parameter.empty()) places_[parameter] = ++gradients_;
    accumulated_ = parameter;
    return parameter.empty() ? gradients_ + 1 : gradients_;
  }

  /// Sorts parameters in the order in which their gradients were accumulated. Parameters from position `first` on come
  /// before the others; parameters without a position come last.
  void sort(std::vector<EventParameter>& parameters, std::int64_t first) const {
    const std::lock_guard lock(mutex_);
    const auto order_of = [&](const EventParameter& parameter) {
      const auto seen = places_.find(parameter.name);
      const bool is_seen = seen != places_.end();
      return std::tuple(!is_seen, is_seen && seen->second < first, is_seen ? seen->second : 0);
    };
    std::ranges::stable_sort(parameters, {}, order_of);
  }

  /// Adds `amax`, the largest magnitude that a backward op would have returned without any rounding, at this loss
  /// scale.
  void without_rounding(double amax, double scale) {
    const std::lock_guard lock(mutex_);
    if (scale > 0 && std::isfinite(amax)) largest_ = std::max(largest_, amax / scale);
  }
  /// Returns the largest magnitude without rounding, divided by the loss scale; 0 if there is none.
  double largest() const {
    const std::lock_guard lock(mutex_);
    return largest_;
  }

  /// Forgets all gradients, when the program has used them.
  void clear() {
    const std::lock_guard lock(mutex_);
    places_.clear();
    accumulated_.clear();
    gradients_ = 0;
    largest_ = 0.0;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::int64_t> places_;  ///< position of each parameter's latest gradient, from 1
  std::string accumulated_;  ///< parameter whose gradient the latest call accumulated, or ""
  std::int64_t gradients_ = 0;
  double largest_ = 0.0;
};

}  // namespace ampprof::profiler

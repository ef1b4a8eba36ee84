// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "reports/records/event.h"
#include "reports/records/phase.h"

namespace ampprof::profiler {

/// Where NaN and inf came from since the last decision of a loss scaler, and where they went. Thread-safe.
class NonfiniteTrace {
 public:
  struct Origin {
    std::int64_t call_site = 0;
    Phase phase = Phase::Forward;
    std::optional<double> scale{};           ///< loss scale in force; empty in forward
    std::optional<double> reference_amax{};  ///< what the output should have been, where a finite reference exists
    std::int64_t gradient = 0;               ///< its place_of_call()
  };

  /// Returns true while the first call with non-finite outputs is looked for: its inputs must then be examined.
  bool looks_for_origin() const {
    const std::lock_guard lock(mutex_);
    return !closed_;
  }
  /// The largest loss scale at which no gradient of this pass would have overflowed in FP16.
  struct SafeScale {
    double value = 0.0;
    /// It may be less: known from the first op alone, on gradients that lost what FP16 flushed.
    bool is_bound = true;

    bool operator==(const SafeScale&) const = default;
  };

  /// Takes the largest gradient that a backward op would have made at this scale, had nothing been rounded.
  void gradient_without_rounding(double amax, double scale) {
    const std::lock_guard lock(mutex_);
    if (scale > 0 && std::isfinite(amax)) largest_gradient_ = std::max(largest_gradient_, amax / scale);
  }

  /// Returns nothing where it is unknown, and where no scale would have helped: the first NaN or inf is the forward's,
  /// or came in.
  std::optional<SafeScale> largest_safe_scale() const {
    constexpr double kLargestHalf = 65504.0;
    const std::lock_guard lock(mutex_);
    if (closed_ && !(origin_ && origin_->scale)) return std::nullopt;
    if (largest_gradient_ > 0) return SafeScale{kLargestHalf / largest_gradient_, false};
    const bool is_known =
        origin_ && origin_->scale && origin_->reference_amax && std::isfinite(*origin_->reference_amax);
    if (!is_known || *origin_->reference_amax <= 0) return std::nullopt;
    return SafeScale{*origin_->scale * kLargestHalf / *origin_->reference_amax, true};
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
  /// Tells of each call of backward, and of the parameter whose gradient is accumulated around it; "" elsewhere.
  /// Returns the place of the first gradient, in their order, that what the call makes can reach.
  std::int64_t place_of_call(const std::string& parameter) {
    const std::lock_guard lock(mutex_);
    if (parameter != accumulated_ && !parameter.empty()) places_[parameter] = ++gradients_;
    accumulated_ = parameter;
    return parameter.empty() ? gradients_ + 1 : gradients_;
  }
  /// Sorts parameters as their gradients were accumulated, before them those that the origin can have reached, and
  /// behind them those that nobody saw.
  void sort(std::vector<EventParameter>& parameters) const {
    const std::lock_guard lock(mutex_);
    const std::int64_t first = origin_ ? origin_->gradient : 0;
    const auto order_of = [&](const EventParameter& parameter) {
      const auto seen = places_.find(parameter.name);
      const bool is_seen = seen != places_.end();
      return std::tuple(!is_seen, is_seen && seen->second < first, is_seen ? seen->second : 0);
    };
    std::ranges::stable_sort(parameters, {}, order_of);
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
  /// Returns an event with the origin, the chain and the largest safe scale that are known.
  OverflowEvent event() const {
    OverflowEvent event;
    if (const auto known = origin()) event.first_site = known->call_site;
    if (const auto scale = largest_safe_scale()) {
      event.largest_safe_scale = scale->value;
      event.largest_safe_scale_is_bound = scale->is_bound;
    }
    event.chain = chain();
    return event;
  }

  void clear() {
    const std::lock_guard lock(mutex_);
    forget();
  }
  /// Clears when an update is over. A weight that it spoilt is the cause of what the next backward will show, and
  /// stays.
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
    places_.clear();
    accumulated_.clear();
    gradients_ = 0;
    largest_gradient_ = 0.0;
  }

  mutable std::mutex mutex_;
  bool closed_ = false;
  std::optional<Origin> origin_;
  std::vector<std::int64_t> chain_;
  std::unordered_map<std::string, std::int64_t> places_;  ///< of the latest gradient of each parameter, from 1
  std::string accumulated_;                               ///< around the latest call; "" outside
  std::int64_t gradients_ = 0;
  double largest_gradient_ = 0.0;  ///< unscaled, of the step in exact arithmetic; 0 without it
};

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/loss_scaler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "amp_core/levels/banner.h"

namespace amp {
namespace {

constexpr double kLargest = std::numeric_limits<float>::max();
constexpr double kSmallest = std::numeric_limits<float>::min();

void require(bool condition, const std::string& sentence) {
  if (!condition) throw Error(sentence);
}

void check_scale(const char* name, double scale) {
  require(std::isfinite(scale) && scale > 0,
          std::string(name) + " is " + scale_text(scale) + "; a loss scale must be a positive, finite number.");
  require(scale <= kLargest && scale >= kSmallest,
          std::string(name) + " is " + scale_text(scale) +
              ", which FP32 cannot hold as a normal number. Choose one between 2^-126 and 2^127.");
}

void check_in_limits(const LossScalerOptions& options, const char* name, double scale) {
  require(scale <= options.maximum && scale >= options.minimum.value_or(0),
          std::string(name) + " is " + scale_text(scale) + ", outside min_loss_scale " +
              (options.minimum ? scale_text(*options.minimum) : "(none)") + " and max_loss_scale " +
              scale_text(options.maximum) + ". Choose a scale within these limits, or change the limits.");
}

}  // namespace

void check_scaler_options(const LossScalerOptions& options) {
  check_scale("max_loss_scale", options.maximum);
  if (options.minimum) {
    check_scale("min_loss_scale", *options.minimum);
    require(*options.minimum <= options.maximum,
            "min_loss_scale is larger than max_loss_scale, so no loss scale is valid. Swap them.");
  }
  check_scale(options.dynamic ? "init_scale" : "loss_scale", options.initial);
  if (options.dynamic) check_in_limits(options, "init_scale", options.initial);
  require(std::isfinite(options.growth) && options.growth > 1,
          "growth_factor must be a finite number above 1. For a scale that never grows, use a static loss_scale.");
  require(
      options.backoff > 0 && options.backoff < 1,
      "backoff_factor must lie between 0 and 1, both excluded: after an overflow the scale must fall, but not to 0.");
  require(options.growth_interval >= 1, "growth_interval must be at least 1 clean backward pass.");
  require(options.hysteresis >= 1,
          "hysteresis must be at least 1: it is the number of overflows in a row after which the scale falls.");
}

LossScaler::LossScaler(const LossScalerOptions& options)
    : LossScaler(options, {.scale = options.initial, .clean_passes = 0, .hysteresis_left = options.hysteresis}) {}

LossScaler::LossScaler(const LossScalerOptions& options, const State& state) : options_(options), state_(state) {
  check_scaler_options(options);
  check_scale("loss_scale", state.scale);
  if (options.dynamic) check_in_limits(options, "loss_scale", state.scale);
  require(state.clean_passes >= 0 && state.clean_passes < options.growth_interval,
          "A loss scaler has counted " + std::to_string(state.clean_passes) +
              " clean passes, but the count must stay below its growth_interval, " +
              std::to_string(options.growth_interval) + ".");
  require(state.hysteresis_left >= 0 && state.hysteresis_left <= options.hysteresis,
          "A loss scaler has " + std::to_string(state.hysteresis_left) +
              " overflows left until its scale falls, but its hysteresis is " + std::to_string(options.hysteresis) +
              ".");
}

void LossScaler::shrink() {
  state_.hysteresis_left = std::max(state_.hysteresis_left - 1, 0);
  if (state_.hysteresis_left > 0) return;
  state_.scale = std::max(state_.scale * options_.backoff, options_.minimum.value_or(kSmallest));
}

bool LossScaler::update(bool overflowed) {
  if (overflowed) {
    state_.clean_passes = 0;
    if (options_.dynamic) shrink();
    return !options_.dynamic;
  }
  state_.hysteresis_left = options_.hysteresis;
  if (++state_.clean_passes == options_.growth_interval) {
    if (options_.dynamic) state_.scale = std::min(state_.scale * options_.growth, options_.maximum);
    state_.clean_passes = 0;
  }
  return true;
}

}  // namespace amp

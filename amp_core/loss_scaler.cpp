// SPDX-License-Identifier: Apache-2.0
#include "amp_core/loss_scaler.h"

#include <algorithm>

namespace amp {

LossScaler::LossScaler(const LossScalerOptions& options) : options_(options), scale_(options.initial) {
  const bool in_range = scale_ > 0 && scale_ <= options.maximum && scale_ >= options.minimum.value_or(0);
  if (options.dynamic && !in_range) throw Error("The initial loss scale lies outside its minimum and maximum.");
  if (options.growth_interval < 1) throw Error("A loss scaler's growth interval must be at least 1.");
}

bool LossScaler::update(bool overflowed) {
  if (overflowed) {
    clean_passes_ = 0;
    if (!options_.dynamic) return true;
    scale_ = std::max(scale_ * options_.backoff, options_.minimum.value_or(0));
    return false;
  }
  if (++clean_passes_ == options_.growth_interval) {
    if (options_.dynamic) scale_ = std::min(scale_ * options_.growth, options_.maximum);
    clean_passes_ = 0;
  }
  return true;
}

LossScaler make_loss_scaler(const Properties& properties) {
  LossScalerOptions options{.minimum = properties.min_loss_scale, .maximum = properties.max_loss_scale};
  options.dynamic = properties.loss_scale.is_dynamic();
  options.initial = options.dynamic ? std::min(options.initial, options.maximum) : *properties.loss_scale.fixed;
  if (options.dynamic) options.initial = std::max(options.initial, options.minimum.value_or(0));
  return LossScaler(options);
}

}  // namespace amp

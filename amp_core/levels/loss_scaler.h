// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "amp_core/levels/properties.h"

namespace amp {

/// The scale of one loss: a state machine with two events and without tensors.
///
/// A dynamic scale grows after `growth_interval` clean backward passes in a row. Every overflow skips a step and
/// decrements the hysteresis counter; when the counter has reached zero, overflows also shrink the scale. A clean pass
/// resets the counter. The scale never exceeds `maximum`, and never falls below `minimum` or FP32's smallest normal
/// number.
///
/// A static scale never changes, and no step is skipped. Passes are still counted, as Apex does.
class LossScaler {
 public:
  /// The state of a scaler, which a checkpoint holds besides the options.
  struct State {
    double scale = 1.0;
    std::int64_t clean_passes = 0;  ///< clean passes in a row; 0 after an overflow or a growth
    int hysteresis_left = 1;        ///< overflows until the scale falls; at 0, each further overflow lowers it

    bool operator==(const State&) const = default;
  };

  /// Starts with the scale `options.initial`. Throws Error if the options are invalid.
  explicit LossScaler(const LossScalerOptions& options = {});

  /// Continues from a saved state. Throws Error if the options or the state are invalid.
  LossScaler(const LossScalerOptions& options, const State& state);

  const LossScalerOptions& options() const { return options_; }
  const State& state() const { return state_; }
  double scale() const { return state_.scale; }
  bool is_dynamic() const { return options_.dynamic; }
  std::int64_t clean_passes() const { return state_.clean_passes; }

  /// Counts one backward pass. Returns whether the optimizer may step.
  [[nodiscard]] bool update(bool overflowed);

 private:
  void shrink();

  LossScalerOptions options_;
  State state_;
};

/// Throws Error for invalid options: numbers that are not positive and finite, a minimum above the maximum, a growth
/// factor <= 1 or a backoff factor >= 1.
void check_scaler_options(const LossScalerOptions& options);

}  // namespace amp

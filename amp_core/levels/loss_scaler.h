// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "amp_core/levels/properties.h"

namespace amp {

/// The scale of one loss: a state machine with two events and without tensors.
///
/// Dynamic: after `growth_interval` consecutive clean backward passes the scale grows. Every overflow skips a step and
/// lowers the hysteresis counter; once the counter is used up, it shrinks the scale too. A clean pass refills the
/// counter. The scale never exceeds `maximum`, nor falls below `minimum` or FP32's smallest normal number.
/// Static: the scale never changes and no step is skipped; passes are still counted, like in Apex.
class LossScaler {
 public:
  /// The part of a scaler that a checkpoint holds besides the options.
  struct State {
    double scale = 1.0;
    std::int64_t clean_passes = 0;
    int hysteresis_left = 1;

    bool operator==(const State&) const = default;
  };

  /// Throws Error, with a sentence, for invalid options.
  explicit LossScaler(const LossScalerOptions& options = {});

  /// Continues from a saved state. Throws Error for invalid options or an invalid state.
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

/// Throws Error, with a sentence, for invalid options: numbers that are not positive and finite, contradictory limits,
/// factors of the wrong direction.
void check_scaler_options(const LossScalerOptions& options);

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "amp_core/levels/properties.h"

namespace amp {

/// The scale of one loss: a state machine of two events, with no tensors in it.
///
/// Dynamic: every `growth_interval` clean backward passes in a row the scale grows; every overflow skips a step and
/// lowers the hysteresis counter, and where that is used up it shrinks the scale too. A clean pass refills the counter.
/// The scale never exceeds `maximum`, nor falls under `minimum` or FP32's smallest normal number.
/// Static: the scale never changes and no step is skipped; passes are still counted, as Apex does.
class LossScaler {
 public:
  /// The part of a scaler that a checkpoint holds besides the options.
  struct State {
    double scale = 1.0;
    std::int64_t clean_passes = 0;
    int hysteresis_left = 1;

    bool operator==(const State&) const = default;
  };

  /// Throws Error with a sentence where the options make no sense.
  explicit LossScaler(const LossScalerOptions& options = {});

  /// One that goes on from a saved state. Throws Error where the options or the state make no sense.
  LossScaler(const LossScalerOptions& options, const State& state);

  const LossScalerOptions& options() const { return options_; }
  const State& state() const { return state_; }
  double scale() const { return state_.scale; }
  bool is_dynamic() const { return options_.dynamic; }
  std::int64_t clean_passes() const { return state_.clean_passes; }

  /// Reports one backward pass. Returns whether the optimizer may step.
  [[nodiscard]] bool update(bool overflowed);

 private:
  void shrink();

  LossScalerOptions options_;
  State state_;
};

/// Refuses, with a sentence, options that no scaler can have: numbers that are not positive and finite, limits that
/// leave no room, factors that go the wrong way.
void check_scaler_options(const LossScalerOptions& options);

}  // namespace amp

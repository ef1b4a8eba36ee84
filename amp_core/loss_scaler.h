// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "amp_core/levels/properties.h"

namespace amp {

/// Apex's numbers. `minimum` is empty by default: the scale may fall without end.
struct LossScalerOptions {
  double initial = 65536.0;
  double growth = 2.0;
  double backoff = 0.5;
  std::int64_t growth_interval = 2000;
  std::optional<double> minimum = std::nullopt;
  double maximum = 16777216.0;
  bool dynamic = true;
};

/// The scale of one loss: a state machine of two events, with no tensors in it.
///
/// Dynamic: every `growth_interval` clean backward passes in a row the scale grows, every overflow shrinks it and the
/// step must be skipped; the scale never exceeds `maximum`, nor falls under `minimum` where there is one.
/// Static: the scale never changes and no step is skipped; passes are still counted, as Apex does.
class LossScaler {
 public:
  explicit LossScaler(const LossScalerOptions& options = {});

  double scale() const { return scale_; }
  bool is_dynamic() const { return options_.dynamic; }
  std::int64_t clean_passes() const { return clean_passes_; }

  /// Reports one backward pass. Returns whether the optimizer may step.
  [[nodiscard]] bool update(bool overflowed);

 private:
  LossScalerOptions options_;
  double scale_;
  std::int64_t clean_passes_ = 0;
};

/// The scaler that the properties ask for; a dynamic one starts at 65536 or, if that is lower, the maximum.
LossScaler make_loss_scaler(const Properties& properties);

}  // namespace amp

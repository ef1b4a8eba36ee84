// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "precision/advice/loss_scale.h"

namespace ampprof::queries {
struct OpRow;
}

namespace ampprof::gui {

/// Says where the gradients of call sites lie at the loss scale in force, and where they would lie at the advised one.
struct ScaledGradients {
  double scale = 1.0;                          ///< in force
  double advised = 1.0;                        ///< a power of two; see advice::LossScaleAdvice::init_scale
  std::optional<ExponentHistogram> then = {};  ///< empty where the advised scale is in force
  advice::HalfShares lost_now;
  advice::HalfShares lost_then;
  bool is_bound = true;  ///< what was flushed before it was seen is not counted

  /// "At loss scale 65536 FP16 flushes 1.2 % of these gradients to zero and …": both scales side by side.
  std::string text() const;
};

/// Reads FP16 outputs of backward ops of one loss scale. Empty where there are none, and where no scale is advised.
std::optional<ScaledGradients> scaledGradients(const std::vector<const queries::OpRow*>& sites,
                                               const advice::LossScaleAdvice& advice);

}  // namespace ampprof::gui

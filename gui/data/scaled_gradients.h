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

/// Distribution of gradients at the current loss scale, and predicted at the advised loss scale.
struct ScaledGradients {
  double scale = 1.0;    ///< current loss scale
  double advised = 1.0;  ///< a power of two; see advice::LossScaleAdvice::init_scale
  /// Histogram at the advised scale; empty if the advised scale is the current one.
  std::optional<ExponentHistogram> then = {};
  advice::HalfShares lost_now;
  advice::HalfShares lost_then;
  bool is_bound = true;  ///< the shares are lower bounds, since values flushed before recording are not counted

  /// Returns sentences with the shares of gradients that FP16 flushes to zero or rounds to inf, at both scales.
  std::string text() const;
};

/// Merges the histograms of `sites`, whose outputs must be FP16 gradients. Returns an empty value if a call site has no
/// such histogram, if loss scales of call sites differ, if there are no values, or if no scale is advised.
std::optional<ScaledGradients> scaledGradients(const std::vector<const queries::OpRow*>& sites,
                                               const advice::LossScaleAdvice& advice);

}  // namespace ampprof::gui

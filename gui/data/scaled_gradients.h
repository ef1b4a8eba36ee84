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

/// Distribution of the gradients of call sites at the current loss scale, and predicted at the advised one.
struct ScaledGradients {
  double scale = 1.0;                          ///< current loss scale
  double advised = 1.0;                        ///< a power of two; see advice::LossScaleAdvice::init_scale
  std::optional<ExponentHistogram> then = {};  ///< histogram at the advised scale; empty if that is the current one
  advice::HalfShares lost_now;
  advice::HalfShares lost_then;
  bool is_bound = true;  ///< the shares are lower bounds: values flushed before they were recorded are not counted

  /// Compares both scales: "At loss scale 65536 FP16 flushes 1.2 % of these gradients to zero and …".
  std::string text() const;
};

/// Reads the histograms of FP16 outputs of backward ops. Empty if a call site has none or another loss scale, or if no
/// scale is advised.
std::optional<ScaledGradients> scaledGradients(const std::vector<const queries::OpRow*>& sites,
                                               const advice::LossScaleAdvice& advice);

}  // namespace ampprof::gui

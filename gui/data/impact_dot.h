// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ampprof::gui {

/// A call site in the plot of loss change against time.
struct ImpactDot {
  enum class Kind {
    Fixed,   ///< cannot be registered as FP32
    Free,    ///< can be registered as FP32, not marked
    Marked,  ///< marked as FP32
  };

  QString call_site;    ///< OpRow::call_site
  QString tip;          ///< plain text, never HTML
  double us = 0.0;      ///< time per step; above 0
  double change = 0.0;  ///< change of the loss; above 0
  Kind kind = Kind::Fixed;
  bool is_noise = false;  ///< `change` is not above loss_noise()
};

}  // namespace ampprof::gui

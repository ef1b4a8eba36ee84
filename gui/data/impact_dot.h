// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ampprof::gui {

/// A call site in the plot of what it changes the loss by against the time that it takes.
struct ImpactDot {
  enum class Kind {
    Fixed,   ///< nobody can register it as FP32
    Free,    ///< it could be registered
    Marked,  ///< it is marked as FP32
  };

  QString call_site;    ///< as in OpRow
  QString tip;          ///< never HTML
  double us = 0.0;      ///< a step; above 0
  double change = 0.0;  ///< of the loss; above 0
  Kind kind = Kind::Fixed;
  bool is_noise = false;  ///< rounding the loss to FP32 changes it as much
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QPixmap>

namespace ampprof::gui {

/// Meaning of the colour of a box in a picture of modules; see colourOf().
struct BoxTone {
  enum class Kind {
    Neutral,    ///< the value is unknown, or the change is within noise
    Heat,       ///< `value` from 0 to 1, where 1 is the worst
    NonFinite,  ///< the error is not finite
    Change,     ///< `value` from -1 (much less) to 1 (much more)
  };

  Kind kind = Kind::Neutral;
  double value = 0.0;

  bool operator==(const BoxTone&) const = default;
};

/// Returns the colour of a tone: cividis for heat; blue through grey to vermilion (of Okabe and Ito) for a change.
QColor colourOf(const BoxTone& tone, const QPalette& palette);

/// Returns a picture of the colour scale of a kind: from -`largest` to `largest` for Change, else from 0 to `largest`.
QPixmap scaleOf(BoxTone::Kind kind, const QSize& size, const QPalette& palette, double largest = 1.0);

}  // namespace ampprof::gui

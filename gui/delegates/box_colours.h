// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QPixmap>

namespace ampprof::gui {

/// Says what the colour of a box in a picture of modules stands for.
struct BoxTone {
  enum class Kind {
    Neutral,    ///< nothing is known, or it is noise
    Heat,       ///< `value` from 0 to 1, the worst
    NonFinite,  ///< an error that is not finite
    Change,     ///< `value` from -1, much less, to 1, much more
  };

  Kind kind = Kind::Neutral;
  double value = 0.0;

  bool operator==(const BoxTone&) const = default;
};

/// Returns a colour of cividis for heat; from blue over grey to vermilion, as Okabe and Ito have them, for a change.
QColor colourOf(const BoxTone& tone, const QPalette& palette);

/// Returns the colours of a kind from its smallest value to `largest`.
QPixmap scaleOf(BoxTone::Kind kind, const QSize& size, const QPalette& palette, double largest = 1.0);

}  // namespace ampprof::gui

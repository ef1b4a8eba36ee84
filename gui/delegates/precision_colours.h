// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

#include "reports/queries/spans.h"

namespace ampprof::gui {

/// Returns the colour of a class of items in a track (see TimelineItem::kind): one of Okabe and Ito's colours, lighter
/// on dark palettes.
QColor colourOf(queries::TrackKind track, std::size_t kind, const QPalette& palette);
inline QColor colourOf(PrecisionClass kind, const QPalette& palette) {
  return colourOf(queries::TrackKind::Threads, static_cast<std::size_t>(kind), palette);
}

/// Returns black or white, whichever has more contrast to `colour`.
QColor inkOn(const QColor& colour);

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

#include "reports/queries/spans.h"

namespace ampprof::gui {

/// The colour of what is of a class in tracks of a kind (see TimelineItem::kind): Okabe and Ito's, lighter on dark
/// palettes.
QColor colourOf(queries::TrackKind track, std::size_t kind, const QPalette& palette);
inline QColor colourOf(PrecisionClass kind, const QPalette& palette) {
  return colourOf(queries::TrackKind::Threads, static_cast<std::size_t>(kind), palette);
}

/// Black or white, whichever can be read on a colour.
QColor inkOn(const QColor& colour);

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

#include "reports/records/lanes.h"

namespace ampprof::gui {

/// The colour of op calls of a class: Okabe and Ito's, lighter on dark palettes.
QColor colourOf(PrecisionClass kind, const QPalette& palette);

/// Black or white, whichever can be read on a colour.
QColor inkOn(const QColor& colour);

}  // namespace ampprof::gui

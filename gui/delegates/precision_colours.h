// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include "reports/records/lanes.h"

namespace ampprof::gui {

/// The colour of op calls of a class: Okabe and Ito's, lighter on dark palettes.
QColor colourOf(PrecisionClass kind, const QPalette& palette);

/// "FP32", "with casts": as the legend says it.
QString nameOf(PrecisionClass kind);

/// Black or white, whichever can be read on a colour.
QColor inkOn(const QColor& colour);

}  // namespace ampprof::gui

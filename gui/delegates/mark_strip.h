// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>

namespace ampprof::gui {

/// Height in pixels of the strip along the lower edge of a cell. The strip is for marks such as whiskers, which must
/// not cover the text.
inline constexpr int kMarkStrip = 6;

/// Returns the part of a cell above the strip, for the text.
inline QRect aboveMarks(const QRect& cell) { return cell.adjusted(0, 0, 0, -kMarkStrip); }

}  // namespace ampprof::gui

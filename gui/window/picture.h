// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace ampprof::gui {

/// Writes a widget as it looks: as SVG where the path ends in .svg, else as PNG. False where it cannot be written; then
/// there is no such file, or the one that was there before.
[[nodiscard]] bool savePicture(QWidget& widget, const QString& path);

/// Puts a widget as it looks on the clipboard, as an image and as SVG: a program that pastes takes what it can.
void copyPicture(QWidget& widget);

}  // namespace ampprof::gui

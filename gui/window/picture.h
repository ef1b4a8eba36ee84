// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace ampprof::gui {

/// Saves an image of a widget: as SVG if the path ends in .svg, else as PNG. Returns false, and leaves an existing file
/// unchanged, if the file cannot be written.
[[nodiscard]] bool savePicture(QWidget& widget, const QString& path);

/// Copies an image of a widget to the clipboard, as bitmap and as SVG. The pasting program chooses the format.
void copyPicture(QWidget& widget);

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ampprof::gui {

/// Escapes a text from a report for a tool tip. Qt interprets text that looks like HTML, and a report is untrusted.
inline QString plainTip(const QString& text) {
  return text.contains('<') ? "<qt style='white-space:pre'>" + text.toHtmlEscaped() + "</qt>" : text;
}

}  // namespace ampprof::gui

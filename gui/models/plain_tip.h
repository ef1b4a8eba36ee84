// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ampprof::gui {

/// A text of a report as a tool tip. Qt takes what looks like HTML for HTML, and a report's text is not to be trusted.
inline QString plainTip(const QString& text) {
  return text.contains('<') ? "<qt style='white-space:pre'>" + text.toHtmlEscaped() + "</qt>" : text;
}

}  // namespace ampprof::gui

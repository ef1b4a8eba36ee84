// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace ampprof::gui {

/// Creates a plain-text label that wraps and whose text can be selected.
inline QLabel* wrappedLabel(const QString& text = {}) {
  auto* label = new QLabel(text);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

/// Makes a label italic, which marks predictions, or upright.
inline void italicize(QLabel* label, bool italic) {
  QFont font = label->font();
  font.setItalic(italic);
  label->setFont(font);
}

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace ampprof::gui {

/// Makes a label of plain text that wraps and can be copied from.
inline QLabel* wrappedLabel(const QString& text = {}) {
  auto* label = new QLabel(text);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

/// Sets what nobody has measured in italics.
inline void italicize(QLabel* label, bool italic) {
  QFont font = label->font();
  font.setItalic(italic);
  label->setFont(font);
}

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/shared/sentence_label.h"

#include <QLabel>

#include "gui/delegates/tone_delegate.h"
#include "gui/pages/shared/labels.h"
#include "views/table/sentence.h"

namespace ampprof::gui {

QLabel* makeSentence(const views::Sentence& sentence, QWidget* parent) {
  QLabel* label = wrappedLabel(QString::fromStdString(sentence.text));
  label->setParent(parent);
  if (const auto colour = colour_of(sentence.tone, parent->palette())) {
    QPalette toned = label->palette();
    toned.setColor(QPalette::WindowText, *colour);
    label->setPalette(toned);
  }
  return label;
}

}  // namespace ampprof::gui

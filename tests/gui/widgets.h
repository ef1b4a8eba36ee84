// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractButton>
#include <QString>
#include <QWidget>

namespace ampprof::gui {

/// The first child with this accessible name; null where there is none.
template <class Widget>
Widget* named(const QWidget& parent, const QString& name) {
  for (Widget* child : parent.findChildren<Widget*>()) {
    if (child->accessibleName() == name) return child;
  }
  return nullptr;
}

/// The first child button with this text; null where there is none.
template <class Button>
Button* button(const QWidget& parent, const QString& text) {
  for (Button* child : parent.findChildren<Button*>()) {
    if (child->text() == text) return child;
  }
  return nullptr;
}

}  // namespace ampprof::gui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractButton>
#include <QString>
#include <QWidget>

namespace ampprof::gui {

/// Returns the first child with this accessible name, or null.
template <class Widget>
Widget* named(const QWidget& parent, const QString& name) {
  for (Widget* child : parent.findChildren<Widget*>()) {
    if (child->accessibleName() == name) return child;
  }
  return nullptr;
}

/// Returns the first child button with this text, or null.
template <class Button>
Button* button(const QWidget& parent, const QString& text) {
  for (Button* child : parent.findChildren<Button*>()) {
    if (child->text() == text) return child;
  }
  return nullptr;
}

}  // namespace ampprof::gui

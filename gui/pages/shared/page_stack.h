// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QStackedWidget>

namespace ampprof::gui {

/// Shows one of several pages. It asks for the room of the page in front alone, where a QStackedWidget asks for that of
/// the largest.
class PageStack : public QStackedWidget {
  Q_OBJECT

 public:
  explicit PageStack(QWidget* parent = nullptr) : QStackedWidget(parent) {
    connect(this, &QStackedWidget::currentChanged, this, &PageStack::updateGeometry);
  }

  QSize minimumSizeHint() const override { return currentWidget() ? currentWidget()->minimumSizeHint() : QSize(); }
  bool hasHeightForWidth() const override { return currentWidget() && currentWidget()->hasHeightForWidth(); }
  int heightForWidth(int width) const override { return currentWidget() ? currentWidget()->heightForWidth(width) : -1; }
};

/// Puts scroll bars around pages that need more room than a small screen has. The parent owns it, and it owns the
/// stack.
inline QScrollArea* scrolled(PageStack* stack, QWidget* parent) {
  auto* area = new QScrollArea(parent);
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);
  area->setWidgetResizable(true);
  area->setWidget(stack);
  return area;
}

}  // namespace ampprof::gui

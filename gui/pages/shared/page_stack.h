// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QStackedWidget>

namespace ampprof::gui {

/// Shows one of several pages. Its size hints are those of the current page, not of the largest as in QStackedWidget.
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

/// Puts a stack into a scroll area, for small screens. The scroll area owns the stack; `parent` owns the scroll area.
inline QScrollArea* scrolled(PageStack* stack, QWidget* parent) {
  auto* area = new QScrollArea(parent);
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);
  area->setWidgetResizable(true);
  area->setWidget(stack);
  return area;
}

}  // namespace ampprof::gui

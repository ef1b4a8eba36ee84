// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace ampprof::gui {

/// The colours of a timeline, each with its name.
class TimelineLegend : public QWidget {
 public:
  explicit TimelineLegend(QWidget* parent = nullptr);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace ampprof::gui

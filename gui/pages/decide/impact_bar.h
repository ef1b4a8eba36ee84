// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "gui/data/board_lines.h"

namespace ampprof::gui {

/// Shows the size of a loss change as a bar, split by rounded operand, with the interval of E as a whisker and a
/// legend. The axis goes from 0 to the upper end of the interval, or to the size if there is no interval.
class ImpactBar : public QWidget {
  Q_OBJECT

 public:
  explicit ImpactBar(QWidget* parent = nullptr);

  void showImpact(double size, const ImpactDetails& impact);

  QSize minimumSizeHint() const override;
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintWhisker(QPainter& painter, double low, double high) const;
  void paintLegend(QPainter& painter, QRectF place) const;

  double size_ = 0.0;
  ImpactDetails impact_;
};

}  // namespace ampprof::gui

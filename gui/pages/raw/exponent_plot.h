// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "gui/delegates/exponent_painting.h"

namespace ampprof::gui {

/// A histogram of exponents with a name.
struct NamedExponents {
  QString name;
  ExponentHistogram histogram;
};

/// Histograms of exponents as rows of bars on a common axis, with the ranges of all formats. The height of a bar is the
/// logarithm of its share.
class ExponentPlot : public QWidget {
  Q_OBJECT

 public:
  explicit ExponentPlot(QWidget* parent = nullptr);

  void showRows(std::vector<NamedExponents> rows);

  QSize minimumSizeHint() const override;
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int nameWidth() const;
  ExponentAxis axis() const;
  QRect row(std::size_t place) const;
  void paintBars(QPainter& painter, const QRect& rect, const ExponentHistogram& histogram) const;
  QString toolTipAt(const QPoint& place) const;

  std::vector<NamedExponents> rows_;
};

}  // namespace ampprof::gui

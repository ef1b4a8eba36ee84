// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "gui/data/error_grid.h"

namespace ampprof::gui {

/// Shows the errors of the worst call sites over the steps as a heat map with a row per call site. The colour is the
/// error in ulp, or the relative error for a recipe. Arrow keys move a frame between cells; a tool tip and screen
/// readers give the values of the cell. Enter or a click selects the row's call site.
class ErrorStrip : public QWidget {
  Q_OBJECT

 public:
  explicit ErrorStrip(QWidget* parent = nullptr);

  void showSites(WorstSites worst);
  /// Shows a sentence instead of rows.
  void say(const QString& sentence);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// Emitted when the user selects a call site, given as OpRow::call_site.
  void siteChosen(const QString& call_site);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  struct Place {
    int row = 0;
    int column = 0;
  };

  /// Returns the rectangle that contains all cells.
  QRect area() const;
  QRect rectOf(const Place& place) const;
  std::optional<Place> placeAt(const QPoint& point) const;
  QString textOf(const Place& place) const;
  void moveTo(Place place);
  void describe();
  void layOut();
  void paintHeading(QPainter& painter, int room) const;
  /// Paints the legend at the right edge. Returns the width left of the legend, in pixels.
  int paintLegend(QPainter& painter) const;
  void paintRow(QPainter& painter, int row) const;
  void paintCell(QPainter& painter, const Place& place) const;

  WorstSites worst_;
  int widest_name_ = 0;  ///< width of the longest name of a call site, in pixels
  ErrorGrid grid_;
  Place current_;
  QString sentence_;
};

}  // namespace ampprof::gui

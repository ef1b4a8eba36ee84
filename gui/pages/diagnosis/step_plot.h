// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "gui/data/step_curve.h"
#include "reports/queries/site_steps.h"

namespace ampprof::gui {

/// Plots the errors of a call site over steps, with marks for overflows.
class StepPlot : public QWidget {
  Q_OBJECT

 public:
  explicit StepPlot(QWidget* parent = nullptr);

  /// Plots `rows`, which must ascend by step.
  void showRows(std::vector<queries::SiteStepRow> rows);
  /// Returns whether a sentence is shown instead of a curve, for example since the rows have no measurement.
  bool isEmpty() const { return !sentence_.isEmpty(); }
  /// Shows a sentence instead of a curve.
  void say(const QString& sentence);

  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF area() const;
  void paintAxes(QPainter& painter, const StepCurve& curve) const;
  void paintCurve(QPainter& painter, const StepCurve& curve) const;
  void paintLegend(QPainter& painter, const StepCurve& curve) const;

  std::vector<queries::SiteStepRow> rows_;
  QString sentence_;
};

}  // namespace ampprof::gui

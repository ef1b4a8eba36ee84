// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "gui/data/overflow.h"

class QCPItemStraightLine;
class QCustomPlot;

namespace ampprof::gui {

/// Plots the loss scale of a run over its steps, with marks for overflow events and shading for skipped steps.
class ScalePlot : public QWidget {
  Q_OBJECT

 public:
  explicit ScalePlot(QWidget* parent = nullptr);

  void draw(const Overflow& overflow);
  /// Shows a vertical line at a step; empty removes it.
  void markStep(std::optional<std::int64_t> step);

 signals:
  /// Emitted when the user clicks at a step.
  void stepChosen(double step);

 private:
  QCustomPlot* plot_;
  QCPItemStraightLine* marked_ = nullptr;  ///< the vertical line; owned by the plot
};

/// Plots, for each loss scale, two shares of the gradients of one loss: those that FP16 flushes to zero, and those
/// above the largest FP16 value.
class SharesPlot : public QWidget {
  Q_OBJECT

 public:
  explicit SharesPlot(QWidget* parent = nullptr);

  /// Draws the shares, and marks two loss scales: `in_force`, the current one, and the advised one.
  void draw(const advice::LossScaleAdvice& advice, std::optional<double> in_force);

 private:
  /// Marks a loss scale with a vertical line and a text. `height`: position of the text, as a fraction of the plot from
  /// the top.
  void mark(double scale, int category, const QString& text, double height);

  QCustomPlot* plot_;
};

}  // namespace ampprof::gui

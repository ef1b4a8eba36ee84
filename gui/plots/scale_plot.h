// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "gui/data/overflow.h"

class QCPItemStraightLine;
class QCustomPlot;

namespace ampprof::gui {

/// The loss scale of a run on the axis of its steps: overflow events as marks, skipped steps shaded.
class ScalePlot : public QWidget {
  Q_OBJECT

 public:
  explicit ScalePlot(QWidget* parent = nullptr);

  void draw(const Overflow& overflow);
  /// A vertical line at a step; none where it is empty.
  void markStep(std::optional<std::int64_t> step);

 signals:
  /// The user clicked at this step.
  void stepChosen(double step);

 private:
  QCustomPlot* plot_;
  QCPItemStraightLine* marked_ = nullptr;  ///< of what is shown; the plot owns it
};

/// Plots where the gradients of one loss lie at every loss scale: the share that FP16 flushes to zero, and the share
/// that is beyond its largest value.
class SharesPlot : public QWidget {
  Q_OBJECT

 public:
  explicit SharesPlot(QWidget* parent = nullptr);

  /// `in_force` is marked, and what is advised.
  void draw(const advice::LossScaleAdvice& advice, std::optional<double> in_force);

 private:
  /// `height` of the text: a share of the plot from above.
  void mark(double scale, int category, const QString& text, double height);

  QCustomPlot* plot_;
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QCustomPlot;

namespace ampprof::gui {

struct LossCurves;
struct Overview;

/// Small plots of the runs side by side: loss and loss scale over the steps, time of a step, memory. A plot without
/// data is hidden.
class RunMultiples : public QWidget {
  Q_OBJECT

 public:
  explicit RunMultiples(QWidget* parent = nullptr);

  /// Draws what runs take.
  void showRuns(const Overview& overview);
  void showCurves(const LossCurves& curves);

 private:
  QCustomPlot* losses_;
  QCustomPlot* scales_;
  QCustomPlot* times_;
  QCustomPlot* memory_;
};

}  // namespace ampprof::gui

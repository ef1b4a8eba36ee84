// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QCustomPlot;
class QGridLayout;

namespace ampprof::gui {

struct LossCurves;
struct Overview;

/// Small plots that compare runs: loss and loss scale over steps, time of a step, memory. Plots without data are
/// hidden. Plots are in one row, or in rows of two if the window is too narrow.
class RunMultiples : public QWidget {
  Q_OBJECT

 public:
  explicit RunMultiples(QWidget* parent = nullptr);

  /// Draws time and memory of runs.
  void showRuns(const Overview& overview);
  void showCurves(const LossCurves& curves);

  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Arranges the visible plots in one row if they fit, else in rows of two.
  void arrange();

  QGridLayout* places_;
  int columns_ = 0;
  std::vector<QCustomPlot*> shown_;  ///< plots that are in places_
  QCustomPlot* losses_;
  QCustomPlot* scales_;
  QCustomPlot* times_;
  QCustomPlot* memory_;
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QCustomPlot;
class QGridLayout;

namespace ampprof::gui {

struct LossCurves;
struct Overview;

/// Small plots of the runs side by side: loss and loss scale over the steps, time of a step, memory. A plot without
/// data is hidden. They stand in two rows where a window is too narrow for one.
class RunMultiples : public QWidget {
  Q_OBJECT

 public:
  explicit RunMultiples(QWidget* parent = nullptr);

  /// Draws what runs take.
  void showRuns(const Overview& overview);
  void showCurves(const LossCurves& curves);

  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Puts the plots that are not hidden into as many columns as have room.
  void arrange();

  QGridLayout* places_;
  int columns_ = 0;
  std::vector<QCustomPlot*> shown_;  ///< in places_
  QCustomPlot* losses_;
  QCustomPlot* scales_;
  QCustomPlot* times_;
  QCustomPlot* memory_;
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/data/overflow.h"
#include "gui/models/view_model.h"
#include "gui/pages/shared/page.h"

class QComboBox;
class QLabel;
class QTableView;

namespace ampprof::gui {

class ChainStrip;
class EventDetails;
class ScalePlot;
class SharesPlot;

/// The overflows of one run: its loss scale over the steps, its events, and for one of them how it went and what scale
/// the gradients would have borne.
class OverflowPage : public Page {
  Q_OBJECT

 public:
  explicit OverflowPage(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  void open() override;
  QString command() const override;
  std::optional<std::string> csv() const override;
  void showPlace(const RunPlace& place) override;

 signals:
  /// Emitted when all that a run has to show is there.
  void shown();

 protected:
  void renewed() override;
  void showSelection() override;

 private:
  QWidget* makeBar();
  QWidget* makeHalves();
  std::int64_t run() const;
  void read();
  void display(Overflow overflow);
  void showEvent(int row);
  /// Hides the curve unless a half gradient of known scale was recorded.
  void showShares(std::int32_t loss_id, std::optional<double> in_force);
  void chooseNearest(double step);

  Overflow overflow_;
  ViewModel model_;
  QComboBox* run_;
  QLabel* note_;  ///< why there is nothing
  ScalePlot* scale_;
  QTableView* events_;
  ChainStrip* chain_;
  EventDetails* details_;
  SharesPlot* shares_;
  std::optional<RunPlace> wanted_;     ///< until its run is here
  std::optional<std::int64_t> shown_;  ///< the run whose overflows are here
  bool is_open_ = false;
  int asked_ = 0;  ///< requests so far: only the last one's answer is shown
};

}  // namespace ampprof::gui

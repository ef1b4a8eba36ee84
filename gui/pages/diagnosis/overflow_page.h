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

/// Shows the overflows of one run: the loss scale over the steps and a table of events. For the current event, also
/// shows its chain, and the effect of each loss scale on the gradients.
class OverflowPage : public Page {
  Q_OBJECT

 public:
  explicit OverflowPage(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  void open() override;
  QString command() const override;
  std::optional<std::string> csv() const override;
  void showPlace(const RunPlace& place) override;

 signals:
  /// Emitted when all data of a run is shown.
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
  /// Shows the effect of loss scales on the gradients of one loss. `in_force`: the loss scale to mark as current. Hides
  /// the plot if the loss has no advice, which needs FP16 gradients with a known loss scale.
  void showShares(std::int32_t loss_id, std::optional<double> in_force);
  void chooseNearest(double step);

  Overflow overflow_;
  ViewModel model_;
  QComboBox* run_;
  QLabel* note_;  ///< reason why there is no data
  ScalePlot* scale_;
  QTableView* events_;
  ChainStrip* chain_;
  EventDetails* details_;
  SharesPlot* shares_;
  std::optional<RunPlace> wanted_;     ///< run and step to show once the run is read
  std::optional<std::int64_t> shown_;  ///< run whose overflows are shown
  bool is_open_ = false;
  int asked_ = 0;  ///< number of requests; only the answer to the last one is shown
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/run_figures_model.h"
#include "gui/pages/shared/page.h"

namespace ampprof::views {
struct Sentence;
}

class QCustomPlot;
class QGridLayout;
class QTableView;

namespace ampprof::gui {

/// The answer first: what the report says, as sentences that lead to their evidence; below, the runs side by side, and
/// their losses.
class OverviewPage : public Page {
  Q_OBJECT

 public:
  explicit OverviewPage(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  void open() override;
  QString command() const override;
  std::optional<std::string> csv() const override;

 signals:
  /// The overview is there; `missing` is the sentence for the banner, "" where nothing is missing.
  void shown(const QString& missing);

 private:
  void show(Overview overview);
  void showLosses(const LossCurves& losses);
  /// With a link to its evidence.
  void say(const views::Sentence& sentence);

  std::shared_ptr<const ReportFile> file_;
  RunFiguresModel runs_;
  QGridLayout* sentences_;
  QTableView* table_;
  QCustomPlot* curves_;
  bool is_open_ = false;
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/run_figures_model.h"
#include "gui/pages/shared/page.h"

namespace ampprof::views {
struct Sentence;
}

class QGridLayout;
class QTableView;

namespace ampprof::gui {

class NextSteps;
class RunMultiples;

/// The answer first: what the report says, as sentences that lead to their evidence. Below, the runs side by side with
/// what to do next, and small plots of the runs.
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
  /// The user wants to see the card of a finding, by its place.
  void findingWanted(std::size_t place);
  /// The user wants to see the functions on the board that ampprof would keep in FP32.
  void adviceWanted();

 protected:
  void renewed() override;

 private:
  void read();
  void show(Overview overview);
  void fitTable();
  QLayout* makeEvidence();
  /// With a link to its evidence.
  void say(const views::Sentence& sentence);

  RunFiguresModel runs_;
  QGridLayout* sentences_;
  QTableView* table_;
  NextSteps* next_;
  RunMultiples* multiples_;
  bool is_open_ = false;
};

}  // namespace ampprof::gui

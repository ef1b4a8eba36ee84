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

class ErrorStrip;
class NextSteps;
class RunMultiples;

/// Shows the answer first: what the report says, as sentences that lead to their evidence. Below lie small plots of the
/// runs, what to do next beside the worst call sites over the steps, and the runs side by side.
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
  void cancelled() override;
  void showEvent(QShowEvent* event) override;

 private:
  void read();
  /// Reads the errors over the steps once the page is seen: that takes decoding every op call.
  void readErrors();
  void show(Overview overview);
  void fitTable();
  QTableView* makeFigures();
  NextSteps* makeNextSteps();
  ErrorStrip* makeErrors();
  /// With a link to its evidence.
  void say(const views::Sentence& sentence);

  RunFiguresModel runs_;
  QGridLayout* sentences_;
  QTableView* table_;
  NextSteps* next_;
  RunMultiples* multiples_;
  ErrorStrip* errors_;
  bool is_open_ = false;
  bool wants_errors_ = false;  ///< since the overview was read; they are read when the page is seen
};

}  // namespace ampprof::gui

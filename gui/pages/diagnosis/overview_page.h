// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/models/run_metrics_model.h"
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

/// Shows the summary of a report as sentences with links to their evidence. Below the sentences: small plots of the
/// runs; then errors of the worst call sites over steps, next to what the user can do; then the runs side by side.
class OverviewPage : public Page {
  Q_OBJECT

 public:
  explicit OverviewPage(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  void open() override;
  QString command() const override;
  std::optional<std::string> csv() const override;

 signals:
  /// Emitted when the overview is shown. `missing`: sentence for the banner about missing data; "" if nothing is
  /// missing.
  void shown(const QString& missing);
  /// Emitted when the user wants to see the card of a finding. `place`: index of the finding in
  /// ReportFile::diagnosis().
  void findingWanted(std::size_t place);
  /// Emitted when the user wants to see the advised FP32 functions on the board.
  void adviceWanted();

 protected:
  void renewed() override;
  void cancelled() override;
  void showEvent(QShowEvent* event) override;

 private:
  void read();
  /// Reads errors over steps, but only once the page is visible, since that decodes all op calls of the run.
  void readErrors();
  void show(Overview overview);
  void fitTable();
  QTableView* makeFigures();
  NextSteps* makeNextSteps();
  ErrorStrip* makeErrors();
  /// Adds a sentence with a link to its evidence.
  void say(const views::Sentence& sentence);

  RunMetricsModel runs_;
  QGridLayout* sentences_;
  QTableView* table_;
  NextSteps* next_;
  RunMultiples* multiples_;
  ErrorStrip* errors_;
  bool is_open_ = false;
  bool wants_errors_ = false;  ///< errors over steps have not been read yet
};

}  // namespace ampprof::gui

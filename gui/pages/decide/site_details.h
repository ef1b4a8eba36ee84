// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <atomic>
#include <memory>
#include <vector>

#include "gui/data/board_lines.h"

namespace ampprof::advice {
struct LossScaleAdvice;
}

namespace ampprof::queries {
struct OpRow;
}

class QLabel;
class QStackedWidget;

namespace ampprof::gui {

class ExponentPlot;
class ImpactBar;
class ReportFile;
class SourceLink;
class StepPlot;

/// Shows the data of one call site or of a group: source line, types, histogram of exponents, errors over steps.
class SiteDetails : public QWidget {
  Q_OBJECT

 public:
  /// Reads errors over steps from `file`; shows no errors over steps if `file` is null.
  explicit SiteDetails(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  /// Shows call sites. `line`: their line in the board. `scale`: the advice on the loss scale, or null. If `sites` is
  /// empty, asks the user to select a call site. Keeps no references to the arguments.
  void showSites(const std::vector<const queries::OpRow*>& sites, const BoardLine& line = {},
                 const advice::LossScaleAdvice* scale = nullptr);

 signals:
  /// Emitted when the errors over steps are shown.
  void stepsShown();
  void failed(const QString& sentence);

 private:
  void showImpact(const BoardLine& line);
  void showExponents(const std::vector<const queries::OpRow*>& sites, const advice::LossScaleAdvice* scale);
  void showSteps(const std::vector<const queries::OpRow*>& sites);
  void readSteps();

  std::shared_ptr<const ReportFile> file_;
  QStackedWidget* stack_;
  QLabel* title_;
  SourceLink* source_;
  QLabel* change_;  ///< text about the loss change
  ImpactBar* rounded_;
  ExponentPlot* exponents_;
  QLabel* scaled_;  ///< text on the effect of the advised loss scale on the exponents
  StepPlot* steps_;
  QLabel* reason_;
  QLabel* executed_;                            ///< text on whether the call site ran on Tensor Cores
  std::shared_ptr<const queries::OpRow> site_;  ///< call site whose errors over steps are shown
  QTimer soon_;                                 ///< delays reading until the selection has not changed for a moment
  /// Number of requests for errors over steps; only the last request is read.
  std::shared_ptr<std::atomic<int>> asked_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace ampprof::gui

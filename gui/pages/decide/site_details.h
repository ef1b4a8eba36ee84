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

/// Shows what a report has on one call site, or on a group of them: where it is, its types, exponents, errors over
/// steps.
class SiteDetails : public QWidget {
  Q_OBJECT

 public:
  /// Errors over steps are read from `file`; without one there are none.
  explicit SiteDetails(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  /// Shows sites with `line`, their row of the board, and the advice on the loss scale, which may be null. Without
  /// sites it asks for one. It keeps nothing of these.
  void showSites(const std::vector<const queries::OpRow*>& sites, const BoardLine& line = {},
                 const advice::LossScaleAdvice* scale = nullptr);

 signals:
  /// The errors over steps of the call site are there.
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
  QLabel* change_;  ///< of the loss
  ImpactBar* rounded_;
  ExponentPlot* exponents_;
  QLabel* scaled_;  ///< what another loss scale would do to them
  StepPlot* steps_;
  QLabel* reason_;
  QLabel* executed_;                            ///< whether it ran on Tensor Cores
  std::shared_ptr<const queries::OpRow> site_;  ///< the one whose steps are shown
  QTimer soon_;                                 ///< reads when the selection has come to rest
  /// Requests so far: only the last one is read.
  std::shared_ptr<std::atomic<int>> asked_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace ampprof::gui

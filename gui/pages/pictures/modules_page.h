// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/data/pictured_sites.h"
#include "gui/models/module_tree_model.h"
#include "gui/pages/shared/page.h"

class QButtonGroup;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QStackedWidget;
class QTreeView;

namespace ampprof::gui {

class BoxLegend;
class TreeCanvas;

/// Shows the modules and ops of a run as an icicle, a treemap or a tree. One measure determines areas, another one
/// colours. If the user selects a run to compare with, colours show the change since that run.
class ModulesPage : public Page {
  Q_OBJECT

 public:
  explicit ModulesPage(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  void open() override;
  QString command() const override;
  void showPlace(const RunPlace& place) override;
  /// Returns false while two runs are compared, since a comparison covers all steps.
  bool takesSteps() const override { return !before(); }
  void showSteps(const std::optional<queries::StepSpan>& steps) override;

 signals:
  /// Emitted when the requested picture is drawn.
  void shown();

 protected:
  void showSelection() override;
  void reread() override { read(); }

 private:
  QWidget* makeBar();
  QWidget* makeShapes();
  QTreeView* makeTree();
  std::optional<std::int64_t> before() const;
  /// Returns the steps to which the picture is restricted; empty for all.
  std::optional<queries::StepSpan> stepsAlone() const { return takesSteps() ? steps_ : std::nullopt; }
  void read();
  void beginWithColours();
  void draw();
  void showShape();
  void showWay();
  /// Returns the reason why no call site has this measure.
  QString nothingOf(std::size_t measure) const;
  /// Returns the reason why nothing is drawn; empty if something is.
  QString whyNothing() const;
  void explain();

  PicturedSites sites_;  ///< model_ has pointers into sites_
  ModuleTreeModel model_;
  QComboBox* run_;
  QComboBox* before_;
  QComboBox* phase_;
  QComboBox* areas_;
  QComboBox* colours_;
  QButtonGroup* shapes_;
  QHBoxLayout* way_;  ///< a button for each module from the root to the visible root
  QStackedWidget* stack_;
  QLabel* nothing_;
  TreeCanvas* canvas_;
  QTreeView* tree_;
  BoxLegend* legend_;
  QLabel* note_;
  std::optional<queries::StepSpan> steps_;
  bool is_open_ = false;
  int asked_ = 0;  ///< number of requests; only the answer to the last one is shown
};

}  // namespace ampprof::gui

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

/// Shows the modules of a run and the ops in them as an icicle, a treemap or a tree, with areas of one measure and
/// colours of another. Colours are what changed since another run where the user chooses one.
class ModulesPage : public Page {
  Q_OBJECT

 public:
  explicit ModulesPage(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  void open() override;
  QString command() const override;
  void showPlace(const RunPlace& place) override;
  /// A comparison of two runs is of all steps.
  bool takesSteps() const override { return !before(); }
  void showSteps(const std::optional<queries::StepSpan>& steps) override;

 signals:
  /// Emitted when what was asked for is drawn.
  void shown();

 protected:
  void showSelection() override;
  void reread() override { read(); }

 private:
  QWidget* makeBar();
  QWidget* makeShapes();
  QTreeView* makeTree();
  std::optional<std::int64_t> before() const;
  /// Returns the steps that are drawn alone; empty for all.
  std::optional<queries::StepSpan> stepsAlone() const { return takesSteps() ? steps_ : std::nullopt; }
  void read();
  void beginWithColours();
  void draw();
  void showShape();
  void showWay();
  /// Returns why no call site has this measure.
  QString nothingOf(std::size_t measure) const;
  /// Returns why there is nothing to draw; empty where there is.
  QString whyNothing() const;
  void explain();

  PicturedSites sites_;  ///< which the model points to
  ModuleTreeModel model_;
  QComboBox* run_;
  QComboBox* before_;
  QComboBox* phase_;
  QComboBox* areas_;
  QComboBox* colours_;
  QButtonGroup* shapes_;
  QHBoxLayout* way_;  ///< a button for each module from the root to what is visible
  QStackedWidget* stack_;
  QLabel* nothing_;
  TreeCanvas* canvas_;
  QTreeView* tree_;
  BoxLegend* legend_;
  QLabel* note_;
  std::optional<queries::StepSpan> steps_;
  bool is_open_ = false;
  int asked_ = 0;  ///< requests so far: only the last one's answer is shown
};

}  // namespace ampprof::gui

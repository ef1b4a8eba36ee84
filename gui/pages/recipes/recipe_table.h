// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>

#include "gui/models/recipe_model.h"
#include "gui/models/value_order.h"

namespace ampprof::gui {

/// The table of the page Recipes, with a row per layer and a cell per matmul. Arrow keys move between cells. Space
/// toggles the mark of a cell; on the name of a layer, Space toggles the marks of all cells of the layer.
class RecipeTable : public QTreeView {
  Q_OBJECT

 public:
  RecipeTable(RecipeModel& model, ValueOrder& order, QWidget* parent = nullptr);

  /// Fits the columns to their texts. Call it when columns have changed.
  void fitColumns();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitLayers();
  void toggleCurrent();

  RecipeModel& model_;
  ValueOrder& order_;
  int widest_layer_ = 0;  ///< width of the longest name, in pixels
};

}  // namespace ampprof::gui

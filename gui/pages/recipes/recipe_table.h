// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>

#include "gui/models/recipe_model.h"
#include "gui/models/value_order.h"

namespace ampprof::gui {

/// The layers of the page of recipes: a cell for each matmul, which one walks through by arrows. Space marks a cell; on
/// the name of a layer, all of its cells.
class RecipeTable : public QTreeView {
  Q_OBJECT

 public:
  RecipeTable(RecipeModel& model, ValueOrder& order, QWidget* parent = nullptr);

  /// To be called when columns have changed.
  void fitColumns();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitLayer();
  void toggleCurrent();

  RecipeModel& model_;
  ValueOrder& order_;
};

}  // namespace ampprof::gui

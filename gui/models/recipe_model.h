// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/data/recipe_board.h"
#include "gui/data/recipe_marks.h"
#include "gui/models/marked_tree.h"

namespace ampprof::gui {

/// The impact of recipes on the matmuls of layers, as a tree of groups of similar layers. A row has a cell per matmul
/// for the chosen recipe, and next to it, if another recipe is compared, a cell for that recipe. A mark on a cell keeps
/// its matmul in BF16.
class RecipeModel : public GroupTree<RecipeGroup> {
  Q_OBJECT

 public:
  enum Column { Layer, Sizes, Flops, FirstCell };
  /// Position of a cell. Side 0 is the chosen recipe, side 1 the compared recipe.
  struct CellPlace {
    std::size_t side = 0;
    std::size_t matmul = 0;
  };

  explicit RecipeModel(QObject* parent = nullptr);

  /// Shows another board, or none if null. Clears all marks.
  void show(std::shared_ptr<const RecipeBoard> board);
  /// Shows these recipes and groups; keeps marks. Throws UsageError for an invalid pattern and leaves the rows
  /// unchanged.
  void arrange(const RecipeChoice& choice, bool alike_as_one, const std::string& pattern);
  const RecipeChoice& choice() const { return choice_; }

  /// Toggles the mark of a cell; in columns without check boxes, the marks of all cells in the row.
  void toggle(const QModelIndex& index);

  /// Returns the position of a column's cells; empty for columns without matmuls.
  std::optional<CellPlace> cellAt(int column) const;
  /// Returns the cell at an index, valid until the groups change; null for columns without matmuls.
  const RecipeCell* cell(const QModelIndex& index) const;

  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 protected:
  const Places* markable(const QModelIndex& index) const override;

 private:
  std::size_t sides() const { return choice_.other ? 2 : 1; }
  QString text(const QModelIndex& index) const;
  QVariant value(const QModelIndex& index) const;
  QString tip(const QModelIndex& index) const;
  QVariant heat(const QModelIndex& index) const;
  QVariant tie(const QModelIndex& index) const;
  KeptPlaces candidatesOf(const RecipeLine& line) const;
  void findLargest();

  std::shared_ptr<const RecipeBoard> board_;
  RecipeChoice choice_;
  double largest_loss_ = 0.0;
  double largest_gradient_ = 0.0;
};

}  // namespace ampprof::gui

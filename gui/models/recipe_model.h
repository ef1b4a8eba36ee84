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

/// Layers and what a recipe does to their matmuls, as a tree: layers that are alike, in them each one. A cell is a
/// matmul of the chosen recipe, beside it that of the recipe to compare with. A mark on a cell keeps its matmul in
/// BF16.
class RecipeModel : public GroupTree<RecipeGroup> {
  Q_OBJECT

 public:
  enum Column { Layer, Sizes, Flops, FirstCell };
  /// A cell of the table: of the chosen recipe (0) or the other one (1), and of which matmul.
  struct CellPlace {
    std::size_t side = 0;
    std::size_t matmul = 0;
  };

  explicit RecipeModel(QObject* parent = nullptr);

  /// Clears all marks. Null shows no board.
  void show(std::shared_ptr<const RecipeBoard> board);
  /// Marks stay. Throws UsageError, with the rows as they were, for a wrong pattern.
  void arrange(const RecipeChoice& choice, bool alike_as_one, const std::string& pattern);
  const RecipeChoice& choice() const { return choice_; }

  /// Marks a cell, or takes its mark back where it has one; elsewhere in a row all of its cells.
  void toggle(const QModelIndex& index);

  /// Empty for a column that is about no matmul.
  std::optional<CellPlace> cellAt(int column) const;
  /// Null for a column that is about no matmul; as line().
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

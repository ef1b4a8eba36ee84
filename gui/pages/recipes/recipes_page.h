// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "gui/data/recipe_curve.h"
#include "gui/models/recipe_model.h"
#include "gui/models/value_order.h"
#include "gui/pages/shared/page.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace ampprof::gui {

class ParetoPlot;
class RecipeTable;
class SearchButton;

/// Shows the predicted impact of a recipe below 16 bits on each matmul of each layer, optionally next to that of
/// another recipe. Marks keep matmuls in BF16. After each mark, the page predicts the time and the remaining impact.
class RecipesPage : public Page {
  Q_OBJECT

 public:
  /// open() reads `file`. If `file` is null, call showBoard() instead.
  explicit RecipesPage(std::shared_ptr<const ReportFile> file = nullptr, QWidget* parent = nullptr);

  void open() override;
  QWidget* filterField() override;
  QString command() const override;
  std::optional<std::string> csv() const override;

  /// Shows another board and clears all marks.
  void showBoard(std::shared_ptr<const RecipeBoard> board);
  /// Returns the policy with the marked matmuls in BF16.
  std::string policy() const;

 public slots:
  /// Marks the matmuls to keep in BF16 for the fastest step within the tolerances. Does nothing until the curve is
  /// computed.
  void markAdvised();
  /// Marks the matmuls that policy lines, the result of a search, keep in BF16.
  void takeSet(const QStringList& lines);
  /// Asks for a file name, then calls writePolicy().
  void savePolicy();
  void writePolicy(const QString& path);

 signals:
  /// Emitted when the curve of time against impact is drawn.
  void curveShown();

 protected:
  void showSelection() override;
  void reread() override { read(); }
  void cancelled() override;

 private:
  QWidget* makeTop();
  QWidget* makeMiddle();
  QWidget* makeBottom();
  QComboBox* makeRecipeBox(const QString& name);
  void fillBoxes();
  std::optional<TriedRecipe> chosenIn(const QComboBox* box) const;
  void arrange();
  void read();
  void readCurve();
  void predict();
  void markDot();
  void chooseSearch();
  void showCurrent(const QModelIndex& current);
  void showDetails();

  bool is_open_ = false;
  std::shared_ptr<const RecipeBoard> board_;
  RecipeCurve curve_;
  RecipeModel model_;
  ValueOrder order_;
  QStackedWidget* stack_;
  QComboBox* recipe_;
  QComboBox* other_;
  QCheckBox* alike_;
  QLineEdit* filter_;
  QLabel* problem_;
  RecipeTable* table_;
  QLabel* details_;
  QLabel* no_curve_;
  ParetoPlot* plot_;
  QLabel* loss_;
  QLabel* gradient_;
  QPushButton* advise_;
  QPushButton* clear_;
  QPushButton* save_;
  SearchButton* search_;
};

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/recipe_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <cmath>

#include "gui/models/recipe_model.h"
#include "gui/models/value_order.h"
#include "tests/gui/recipes_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace recipe_model_test {

constexpr int kFprop = RecipeModel::FirstCell;

class RecipeModels : public testing::Test {
 protected:
  RecipeModels() {
    writeTwoRecipes(folder_.path() / "r.ampprof");
    board_ = readRecipes(folder_.path() / "r.ampprof");
    model_.show(board_);
    model_.arrange({board_->recipes()[0]}, false, "");
  }

  QModelIndex cell(int row, int column) const { return model_.index(row, column); }
  QString text(int row, int column) const { return cell(row, column).data().toString(); }
  double heat(int row, int column) const { return cell(row, column).data(RecipeModel::HeatRole).toDouble(); }

  test_support::TemporaryFolder folder_;
  std::shared_ptr<const RecipeBoard> board_;
  RecipeModel model_;
};

TEST_F(RecipeModels, KeepTheRulesOfQtModels) {
  const QAbstractItemModelTester tester(&model_, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model_.arrange({board_->recipes()[0], board_->recipes()[1]}, true, "");
  model_.toggle(cell(1, kFprop));
  model_.show(nullptr);
}

TEST_F(RecipeModels, SayPlaceAndDamage) {
  EXPECT_TRUE(text(5, kFprop).startsWith("1   2.0e-02")) << text(5, kFprop).toStdString();
  EXPECT_TRUE(text(1, kFprop).startsWith("4=   ")) << text(1, kFprop).toStdString();
  EXPECT_EQ(text(0, kFprop).toStdString(), "stays BF16");
  EXPECT_EQ(text(5, RecipeModel::Sizes).toStdString(), "32.0k × 768");
  EXPECT_TRUE(cell(0, kFprop).data(Qt::ToolTipRole).toString().contains("not a multiple of 32"));
  EXPECT_TRUE(cell(5, kFprop).data(Qt::ToolTipRole).toString().contains("SQNR"));
}

TEST_F(RecipeModels, ColourTiesAlikeAndTheWorstMost) {
  EXPECT_EQ(heat(5, kFprop), 1.0);
  EXPECT_EQ(heat(1, kFprop), heat(3, kFprop));
  EXPECT_TRUE(std::isnan(heat(0, kFprop)));
  EXPECT_EQ(cell(1, kFprop).data(RecipeModel::TieRole), cell(3, kFprop).data(RecipeModel::TieRole));
  EXPECT_FALSE(cell(5, kFprop).data(RecipeModel::TieRole).isValid());
}

TEST_F(RecipeModels, MarkCellsAndWholeLayers) {
  QSignalSpy changed(&model_, &RecipeModel::keptChanged);
  model_.toggle(cell(5, kFprop));
  EXPECT_EQ(model_.kept().size(), 1u);
  EXPECT_EQ(cell(5, kFprop).data(Qt::CheckStateRole), Qt::Checked);
  EXPECT_EQ(cell(5, kFprop + 1).data(Qt::CheckStateRole), Qt::Unchecked);
  EXPECT_TRUE(std::isnan(heat(5, kFprop))) << "its damage is gone";
  model_.toggle(cell(5, RecipeModel::Layer));
  EXPECT_EQ(model_.kept().size(), 3u);
  model_.toggle(cell(5, RecipeModel::Layer));
  EXPECT_TRUE(model_.kept().empty());
  model_.toggle(cell(0, kFprop));
  EXPECT_TRUE(model_.kept().empty()) << "no recipe takes it";
  EXPECT_EQ(changed.count(), 3);
}

TEST_F(RecipeModels, MarkLayersThatAreAlikeTogether) {
  model_.toggle(cell(1, kFprop));
  model_.arrange({board_->recipes()[0]}, true, "");
  EXPECT_EQ(cell(1, kFprop).data(Qt::CheckStateRole), Qt::PartiallyChecked);
  model_.toggle(cell(1, kFprop));
  EXPECT_EQ(model_.kept().size(), 2u);
}

TEST_F(RecipeModels, StandTwoRecipesSideBySide) {
  model_.arrange({board_->recipes()[0], board_->recipes()[1]}, false, "");
  EXPECT_EQ(model_.columnCount(), RecipeModel::FirstCell + 6);
  EXPECT_EQ(model_.headerData(kFprop, Qt::Horizontal).toString().toStdString(), "fprop mxfp8");
  EXPECT_EQ(model_.headerData(kFprop + 1, Qt::Horizontal).toString().toStdString(), "fprop nvfp4");
  EXPECT_EQ(heat(5, kFprop + 1), 1.0) << "one scale for both";
  EXPECT_LT(heat(5, kFprop), 1.0);
  EXPECT_FALSE(cell(5, kFprop + 1).data(Qt::CheckStateRole).isValid()) << "marks are of the chosen recipe";
  EXPECT_TRUE(cell(5, kFprop + 1).data(Qt::ToolTipRole).toString().contains("times the impact of mxfp8"))
      << cell(5, kFprop + 1).data(Qt::ToolTipRole).toString().toStdString();
}

TEST_F(RecipeModels, FindACallSiteAlsoInAGroup) {
  model_.arrange({board_->recipes()[0]}, true, "");
  const QModelIndex found = model_.find("layers.1.fc2/linear");
  ASSERT_TRUE(found.isValid());
  EXPECT_EQ(model_.callSite(found).toStdString(), "layers.1.fc2/linear");
  EXPECT_EQ(found.parent().row(), 2);
  EXPECT_FALSE(model_.find("nowhere").isValid());
}

TEST_F(RecipeModels, ComeWorstFirst) {
  ValueOrder order(model_);
  order.sort(kFprop, Qt::AscendingOrder);
  EXPECT_EQ(order.index(0, 0).data().toString().toStdString(), "head/linear");
  EXPECT_EQ(order.index(5, 0).data().toString().toStdString(), "stem/linear") << "what has no number is last";
}

}  // namespace recipe_model_test
}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/recipes/recipes_page.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>
#include <fstream>

#include "gui/data/report_file.h"
#include "gui/pages/search/search_dialog.h"
#include "tests/cli/synthetic_report.h"
#include "tests/gui/recipes_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace recipes_page_test {

constexpr int kTimeout = 20'000;  // in ms

class RecipesPages : public testing::Test {
 protected:
  RecipesPages() {
    writeTwoRecipes(folder_.path() / "r.ampprof");
    page_ = std::make_unique<RecipesPage>(std::make_shared<const ReportFile>(folder_.path() / "r.ampprof"));
    page_->resize(1366, 768);
    page_->show();
    page_->activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(page_.get()));
    QSignalSpy shown(page_.get(), &RecipesPage::curveShown);
    page_->open();
    EXPECT_TRUE(shown.wait(kTimeout));
  }

  QTreeView* table() const { return named<QTreeView>(*page_, "Layers and their matmuls"); }
  QString loss() const { return named<QLabel>(*page_, "Expected loss impact of fprop")->text(); }
  QString gradient() const {
    return named<QLabel>(*page_, "Expected change of the loss decrease per step due to dgrad and wgrad")->text();
  }
  void press(Qt::Key key) const { QTest::keyClick(table(), key); }
  /// Selects the fprop of the first layer.
  void goToWorst() const {
    table()->setFocus();
    table()->setCurrentIndex(table()->model()->index(0, RecipeModel::FirstCell));
  }
  std::string rules() const { return page_->policy().substr(page_->policy().find("recipe ")); }

  test_support::TemporaryFolder folder_;
  std::unique_ptr<RecipesPage> page_;
};

TEST_F(RecipesPages, PutTheWorstFirstAndNameTheCommand) {
  EXPECT_EQ(table()->model()->index(0, 0).data().toString().toStdString(), "head/linear");
  EXPECT_EQ(table()->model()->rowCount(), 4) << "layers that are alike are one";
  EXPECT_TRUE(page_->csv().value_or("").starts_with("layer,weight,of FLOPs,fprop,dgrad,wgrad\nhead/linear,"));
  EXPECT_TRUE(page_->command().endsWith(" recipes")) << page_->command().toStdString();
}

TEST_F(RecipesPages, MarkTheCurrentCellBySpaceAndPredictAtOnce) {
  const QString before = loss(), before_of_gradient = gradient();
  goToWorst();
  press(Qt::Key_Space);
  EXPECT_TRUE(loss().contains(" → ")) << loss().toStdString();
  EXPECT_EQ(gradient(), before_of_gradient) << "fprop does not belong to it";
  EXPECT_EQ(rules(), "recipe mxfp8\nhead fprop bf16\n");
  press(Qt::Key_Right);
  press(Qt::Key_Space);
  EXPECT_EQ(rules(), "recipe mxfp8\nhead fprop bf16\nhead dgrad bf16\n");
  EXPECT_TRUE(gradient().contains(" → ")) << gradient().toStdString();
  QTest::mouseClick(button<QPushButton>(*page_, "Clear &marks"), Qt::LeftButton);
  EXPECT_EQ(loss(), before);
}

TEST_F(RecipesPages, MarkWhatIsAdvised) {
  named<QComboBox>(*page_, "Recipe")->setCurrentIndex(1);
  QTest::mouseClick(button<QPushButton>(*page_, "&Advise"), Qt::LeftButton);
  EXPECT_TRUE(QTest::qWaitFor([&] { return loss().contains(" → "); }, kTimeout)) << loss().toStdString();
  EXPECT_NE(rules().find(" bf16"), std::string::npos);
}

TEST_F(RecipesPages, KeepMarksForAnotherRecipe) {
  goToWorst();
  press(Qt::Key_Space);
  named<QComboBox>(*page_, "Recipe")->setCurrentIndex(1);
  EXPECT_EQ(rules(), "recipe nvfp4\nhead fprop bf16\n");
}

TEST_F(RecipesPages, CompareWithAnotherRecipe) {
  named<QComboBox>(*page_, "Compare with")->setCurrentIndex(2);
  EXPECT_EQ(table()->model()->columnCount(), RecipeModel::FirstCell + 6);
  goToWorst();
  EXPECT_TRUE(named<QLabel>(*page_, "Details of the matmul")->text().contains("times the impact of nvfp4"));
  named<QComboBox>(*page_, "Compare with")->setCurrentIndex(1);
  EXPECT_EQ(table()->model()->columnCount(), RecipeModel::FirstCell + 3) << "not with itself";
}

TEST_F(RecipesPages, ShareTheSelectedCallSite) {
  page_->select({});
  QSignalSpy selected(page_.get(), &Page::selected);
  goToWorst();
  ASSERT_EQ(selected.count(), 1);
  EXPECT_EQ(selected[0][0].toString().toStdString(), "head/linear");
  page_->select("layers.1.fc2/linear");
  EXPECT_EQ(table()->currentIndex().siblingAtColumn(0).data().toString().toStdString(), "layers.1.fc2/linear");
  page_->select({});
  EXPECT_FALSE(table()->currentIndex().isValid());
}

TEST_F(RecipesPages, AreFiltered) {
  QTest::keyClicks(named<QLineEdit>(*page_, "Filter by module or op"), "fc2");
  EXPECT_EQ(table()->model()->rowCount(), 1);
  QTest::keyClicks(named<QLineEdit>(*page_, "Filter by module or op"), "(");
  EXPECT_EQ(table()->model()->rowCount(), 1) << "a wrong pattern leaves the rows";
}

TEST_F(RecipesPages, SaveAPolicy) {
  goToWorst();
  press(Qt::Key_Space);
  const auto path = folder_.path() / "p.amp";
  page_->writePolicy(QString::fromStdString(path.string()));
  std::ifstream file(path);
  EXPECT_EQ((std::string{std::istreambuf_iterator<char>(file), {}}), page_->policy());
  QSignalSpy failed(page_.get(), &Page::failed);
  page_->writePolicy("/nowhere/p.amp");
  EXPECT_EQ(failed.count(), 1);
}

TEST(RecipesPage, SaysWhatToDoWithoutARecipe) {
  const test_support::TemporaryFolder folder;
  cli::write_synthetic_report(folder.path() / "r.ampprof");
  RecipesPage page;
  page.show();
  page.showBoard(readRecipes(folder.path() / "r.ampprof"));
  bool is_said = false;
  for (const QLabel* label : page.findChildren<QLabel*>()) {
    is_said = is_said || (label->isVisible() && label->text().contains("ampprof run --what-if mxfp8"));
  }
  EXPECT_TRUE(is_said);
}

TEST_F(RecipesPages, SearchWhatMustStayInHighPrecision) {
  QTest::mouseClick(button<QPushButton>(*page_, "Searc&h…"), Qt::LeftButton);
  SearchDialog* dialog = nullptr;
  ASSERT_TRUE(QTest::qWaitFor([&] { return (dialog = page_->findChild<SearchDialog*>()) != nullptr; }, kTimeout));
  const QString command = named<QPlainTextEdit>(*dialog, "Command")->toPlainText();
  EXPECT_TRUE(command.contains("--recipe mxfp8 ")) << command.toStdString();
  EXPECT_TRUE(command.contains("r-search-mxfp8.ampprof")) << command.toStdString();
  emit dialog->taken({"head dgrad bf16"}, {});
  EXPECT_TRUE(QTest::qWaitFor([&] { return rules() == "recipe mxfp8\nhead dgrad bf16\n"; }, kTimeout)) << rules();
}

}  // namespace recipes_page_test
}  // namespace ampprof::gui

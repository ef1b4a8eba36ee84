// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/decide/board_page.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>
#include <algorithm>
#include <fstream>

#include "gui/data/board.h"
#include "gui/data/report_file.h"
#include "precision/advice/evidence.h"
#include "reports/queries/ops.h"
#include "tests/cli/layered_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace board_page_test {

class BoardPages : public testing::Test {
 protected:
  explicit BoardPages(void (*write)(const std::filesystem::path&) = cli::write_layered_report) {
    write(path());
    board_ = advisedBoard(ReportFile(path()));
    page_.resize(1366, 768);
    page_.show();
    page_.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&page_));
    page_.showBoard(board_);
  }

  std::filesystem::path path() const { return folder_.path() / "r.ampprof"; }

  template <class Widget>
  Widget* named(const QString& name) const {
    return gui::named<Widget>(page_, name);
  }
  template <class Button>
  Button* button(const QString& text) const {
    return gui::button<Button>(page_, text);
  }

  QTreeView* tree() const { return named<QTreeView>("Decision board"); }
  QString loss() const { return named<QLabel>("Expected loss impact")->text(); }
  QString time() const { return named<QLabel>("Predicted time per step")->text(); }
  void click(const QString& text) { QTest::mouseClick(button<QPushButton>(text), Qt::LeftButton); }
  std::string policy() const { return amp::to_text(policy_of(page_.advice())); }
  std::string advised() const { return amp::to_text(policy_of(advise(board_->evidence()))); }

  test_support::TemporaryFolder folder_;
  std::shared_ptr<const Board> board_;
  BoardPage page_;
};

class BoardPagesWithPlainRun : public BoardPages {
 protected:
  BoardPagesWithPlainRun() : BoardPages(cli::write_synthetic_report) {}
};

TEST_F(BoardPages, PutTheWorstFirstAndOpenIt) {
  QTest::mouseClick(named<QRadioButton>("Group by class"), Qt::LeftButton);
  const QModelIndex first = tree()->model()->index(0, 0);
  EXPECT_EQ(first.data().toString().toStdString(), "encoder.layers.*.attn.query_key_value/linear");
  EXPECT_TRUE(tree()->isExpanded(first));
}

TEST_F(BoardPages, KeepNumbersNearTheirCallSites) {
  page_.resize(2560, 1440);
  ASSERT_TRUE(QTest::qWaitFor([&] { return tree()->viewport()->width() > 2'000; }));
  EXPECT_LT(tree()->header()->length(), tree()->viewport()->width()) << "the rest is free";
  const QString longest = "encoder.layers.0.attn.query_key_value/linear";
  EXPECT_GT(tree()->columnWidth(0), tree()->fontMetrics().horizontalAdvance(longest));
  page_.resize(1280, 720);
  ASSERT_TRUE(QTest::qWaitFor([&] { return tree()->viewport()->width() < 1'280; }));
  const int narrow = tree()->columnWidth(0);
  tree()->hideColumn(BoardModel::TensorCores);
  EXPECT_GE(tree()->columnWidth(0), narrow) << "it takes the width that a hidden column leaves";
}

TEST_F(BoardPages, AreFilteredByModuleOrOp) {
  QTest::keyClicks(named<QLineEdit>("Filter by module or op"), "layers.1.*out|key");
  EXPECT_EQ(tree()->model()->rowCount(), 5) << "three by key, the second layer's out forward and backward";
  QTest::keyClicks(named<QLineEdit>("Filter by module or op"), "(");
  EXPECT_EQ(tree()->model()->rowCount(), 5) << "a wrong pattern leaves the rows, and says so";
  const auto labels = page_.findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(
      labels, [](const QLabel* label) { return label->isVisible() && label->text().contains("missing )"); }));
}

TEST_F(BoardPages, AreGroupedByKeyboardAndMouse) {
  QTest::mouseClick(named<QRadioButton>("Group by class"), Qt::LeftButton);
  EXPECT_EQ(tree()->model()->rowCount(), 3);
  QTest::keyClick(named<QRadioButton>("Group by class"), Qt::Key_Left);
  EXPECT_EQ(tree()->model()->rowCount(), 2) << "by op";
}

TEST_F(BoardPages, MarkTheCurrentRowBySpaceAndPredictAtOnce) {
  const QString before = loss();
  EXPECT_EQ(before.toStdString(), "expected loss impact 8.8e-03 → 8.8e-03");
  tree()->setFocus();
  QTest::keyClick(tree(), Qt::Key_Home);
  QTest::keyClick(tree(), Qt::Key_Space);
  EXPECT_EQ(loss().toStdString(), "expected loss impact 8.8e-03 → 5.9e-03");
  EXPECT_EQ(policy(), "linear fp32 in encoder.layers.2.attn.query_key_value\n");
  QTest::keyClick(tree(), Qt::Key_Space);
  EXPECT_EQ(loss(), before);
}

TEST_F(BoardPages, MarkByAClickOnTheBox) {
  const QModelIndex box = tree()->model()->index(0, BoardModel::KeepFp32);
  const QRect cell = tree()->visualRect(box);
  QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, {cell.left() + 10, cell.center().y()});
  EXPECT_EQ(box.data(Qt::CheckStateRole), Qt::Checked);
  EXPECT_EQ(page_.advice().policy.size(), 1u);
}

TEST_F(BoardPages, MarkWhatIsAdvised) {
  ASSERT_FALSE(advised().empty());
  EXPECT_FALSE(button<QPushButton>("&Save policy…")->isEnabled()) << "nothing to save";
  click("&Advise");
  EXPECT_EQ(policy(), advised());
  EXPECT_EQ(page_.advice().impact_after, advise(board_->evidence()).impact_after);
}

TEST_F(BoardPagesWithPlainRun, TellWhatAStepWouldTake) {
  EXPECT_EQ(time().toStdString(), "time per step 24.0 ms → 24.0 ms");
  click("&Advise");
  EXPECT_EQ(loss().toStdString(), "expected loss impact 1.6e-02 → 2.4e-04");
  EXPECT_EQ(time().toStdString(), "time per step 24.0 ms → 24.0 ms");
}

TEST_F(BoardPages, SaySoWhereNoRunTellsWhatFp32Costs) {
  EXPECT_TRUE(time().contains("cost of FP32 unknown"));
  click("&Advise");
  EXPECT_TRUE(time().contains("→ unknown"));
}

TEST_F(BoardPages, SaveAPolicyThatIsReadAgain) {
  click("&Advise");
  click("&Save policy…");
  auto* dialog = page_.findChild<QFileDialog*>();
  ASSERT_NE(dialog, nullptr);
  const std::filesystem::path file = folder_.path() / "mine.amp";
  dialog->setDirectory(QString::fromStdString(folder_.path().string()));
  dialog->findChild<QLineEdit*>("fileNameEdit")->setText("mine");
  QMetaObject::invokeMethod(dialog, "accept");
  ASSERT_TRUE(std::filesystem::exists(file));
  EXPECT_EQ(amp::parse_policy(amp::policy_file_text(file), file), policy_of(page_.advice()));
}

TEST_F(BoardPages, SayWhatFailed) {
  const QSignalSpy failed(&page_, &BoardPage::failed);
  page_.writePolicy("/no/such/folder/mine.amp");
  ASSERT_EQ(failed.size(), 1);
  EXPECT_TRUE(failed.front().front().toString().contains("/no/such/folder"));
}

TEST_F(BoardPages, CopyCode) {
  click("&Advise");
  const auto actions = button<QPushButton>("&Copy code")->menu()->actions();
  ASSERT_EQ(actions.size(), 3);
  const char* expected[] = {"amp::register_float_function(", "amp.register_float_function(", "in_float32"};
  for (int i = 0; i < 3; ++i) {
    actions[i]->trigger();
    EXPECT_TRUE(QGuiApplication::clipboard()->text().contains(expected[i])) << i;
  }
}

TEST_F(BoardPages, TellWhichCallSiteIsCurrent) {
  const QSignalSpy selected(&page_, &BoardPage::selected);
  page_.select("encoder.layers.1.attn.out/linear");
  EXPECT_EQ(tree()->currentIndex().data().toString(), QString("encoder.layers.1.attn.out/linear"));
  EXPECT_TRUE(selected.empty()) << "who tells the page knows";
  QTest::mouseClick(named<QRadioButton>("Group by class"), Qt::LeftButton);
  EXPECT_EQ(tree()->currentIndex().data().toString(), QString("encoder.layers.1.attn.out/linear")) << "it stays";
  EXPECT_TRUE(selected.empty());
  QTest::keyClick(tree(), Qt::Key_Home);
  QTest::keyClick(tree(), Qt::Key_Down);
  ASSERT_EQ(selected.size(), 2);
  EXPECT_EQ(selected.front().front().toString(), QString()) << "a group";
  EXPECT_EQ(selected.back().front().toString(), QString("encoder.layers.2.attn.query_key_value/linear"));
}

TEST_F(BoardPages, SayMoreOfTheCurrentRow) {
  const auto* title = named<QLabel>("Call site");
  EXPECT_FALSE(title->isVisible()) << "nothing is selected";
  page_.select("encoder.layers.1.attn.out/linear");
  EXPECT_TRUE(title->isVisible());
  EXPECT_TRUE(title->text().startsWith("encoder.layers.1.attn.out/linear\n")) << title->text().toStdString();
  page_.select("");
  EXPECT_FALSE(title->isVisible());
  QTest::mouseClick(named<QRadioButton>("Group by class"), Qt::LeftButton);
  QTest::keyClick(tree(), Qt::Key_Home);
  EXPECT_TRUE(title->text().contains("call sites")) << "a group: " << title->text().toStdString();
}

TEST_F(BoardPages, ShowTheColumnsThatAreChosen) {
  const auto actions = button<QPushButton>("Col&umns")->menu()->actions();
  ASSERT_EQ(actions.size(), tree()->model()->columnCount() - 1) << "the call site stays";
  for (int column = 1; column < tree()->model()->columnCount(); ++column) {
    QAction* action = actions[column - 1];
    EXPECT_EQ(action->text(), tree()->model()->headerData(column, Qt::Horizontal).toString());
    const auto empty = {BoardModel::GpuTime,    BoardModel::CompiledTime,   BoardModel::Rank,    BoardModel::Rounded,
                        BoardModel::MeanChange, BoardModel::InheritedError, BoardModel::Fp32Time};
    const bool is_empty = std::ranges::find(empty, column) != empty.end();
    EXPECT_EQ(action->isChecked(), !is_empty)
        << "no run saw a GPU, compiled, had a shadow or was in FP32, and no E was recorded";
    action->setChecked(true);
    action->trigger();
    EXPECT_TRUE(tree()->isColumnHidden(column));
    action->trigger();
    EXPECT_FALSE(tree()->isColumnHidden(column));
  }
}

TEST_F(BoardPages, SayWhatToRecordWhereNothingCanBeAdvised) {
  page_.showBoard(nullptr);
  const auto labels = page_.findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(labels, [](const QLabel* label) {
    return label->isVisible() && label->text().contains("trains in a reduced type");
  }));
  EXPECT_FALSE(tree()->isVisible());
}

TEST_F(BoardPages, SayWhatTheRowsAreInTheOrderOf) {
  const auto* order = named<QLabel>("Order of the rows");
  EXPECT_TRUE(order->text().contains("signed loss impacts")) << order->text().toStdString();
  tree()->sortByColumn(BoardModel::Time, Qt::AscendingOrder);
  EXPECT_EQ(order->text(), "Sorted by time, the largest first.");
  tree()->sortByColumn(BoardModel::LossChange, Qt::AscendingOrder);
  advice::Evidence evidence = board_->evidence();
  evidence.impacts.clear();
  for (queries::OpRow& op : evidence.ops) op.loss_impact = op.loss_impact_size = std::nullopt;
  page_.showBoard(std::make_shared<const Board>(board_->run(), std::move(evidence)));
  EXPECT_TRUE(order->text().contains("local error")) << order->text().toStdString();
  EXPECT_TRUE(tree()->model()->index(0, 0).data().toString().startsWith("encoder.layers.2"));
}

TEST_F(BoardPages, TakeASetThatASearchFound) {
  page_.takeSet({"linear fp32 in encoder.layers.1.attn.out"}, "Keep 1 of 6 functions.");
  EXPECT_EQ(policy(), "linear fp32 in encoder.layers.1.attn.out\n");
  const auto is_said = [&] {
    const auto labels = page_.findChildren<QLabel*>();
    return std::ranges::any_of(
        labels, [](const QLabel* label) { return label->isVisible() && label->text().contains("Keep 1 of 6"); });
  };
  EXPECT_TRUE(is_said());
  click("&Advise");
  EXPECT_FALSE(is_said()) << "another set is marked";
}

}  // namespace board_page_test
}  // namespace ampprof::gui

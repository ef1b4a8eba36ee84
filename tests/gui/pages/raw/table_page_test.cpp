// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/raw/table_page.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <algorithm>

#include "reports/store/writer.h"
#include "tests/cli/gpu_report.h"
#include "tests/cli/layered_report.h"
#include "tests/gui/ranks_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace table_page_test {

constexpr int kTimeout = 20'000;  // in ms

class TablePages : public testing::Test {
 protected:
  std::unique_ptr<TablePage> open(const char* view) {
    auto page = std::make_unique<TablePage>(std::make_shared<const ReportFile>(path_), view);
    page->setVisible(true);
    QSignalSpy shown(page.get(), &TablePage::shown);
    page->open();
    EXPECT_TRUE(shown.wait(kTimeout));
    return page;
  }
  static bool showsRows(const TablePage& page) { return page.findChild<QTableView*>()->isVisible(); }
  static QString note(const TablePage& page) {
    for (const auto* label : page.findChildren<QLabel*>()) {
      if (label->wordWrap() && label->isVisible()) return label->text();
    }
    return {};
  }

  test_support::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "r.ampprof";
};

TEST_F(TablePages, SayWhatToDoInsteadOfATableWithoutRows) {
  store::create_report(path_, false);
  for (const char* view : {"ops", "casts", "missing"}) {
    const auto page = open(view);
    EXPECT_FALSE(showsRows(*page)) << view;
    EXPECT_EQ(note(*page), "This report holds no run. Record one: ampprof run -- PROGRAM") << view;
  }
}

TEST_F(TablePages, SayWhyThereIsNoRow) {
  cli::write_gpu_report(path_);
  const auto updates = open("optimizer");
  EXPECT_FALSE(showsRows(*updates));
  EXPECT_TRUE(note(*updates).startsWith("The report holds no weight update. Record")) << note(*updates).toStdString();
  EXPECT_FALSE(named<QComboBox>(*updates, "Run")->isVisible()) << "there is nothing to filter";
  const auto ops = open("ops");
  EXPECT_TRUE(showsRows(*ops));
  EXPECT_TRUE(note(*ops).startsWith("Sorted by local error")) << "what they are in the order of";
  auto* table = ops->findChild<QTableView*>();
  table->sortByColumn(0, Qt::DescendingOrder);
  EXPECT_EQ(note(*ops), "Sorted by run, from Z to A.") << "after a click on a header";
  table->sortByColumn(-1, Qt::AscendingOrder);
  EXPECT_TRUE(note(*ops).startsWith("Sorted by local error"));
  QTest::keyClicks(ops->filterField(), "no such op");
  EXPECT_TRUE(showsRows(*ops)) << "its columns can still be chosen";
  EXPECT_TRUE(note(*ops).startsWith("0 of ")) << note(*ops).toStdString();
}

TEST_F(TablePages, WrapSentencesInsteadOfCuttingThem) {
  cli::write_layered_report(path_);
  const auto missing = open("missing");
  auto* table = missing->findChild<QTableView*>();
  ASSERT_GT(table->model()->rowCount(), 0);
  const auto highest = [&] {
    int height = 0;
    for (int row = 0; row < table->model()->rowCount(); ++row) height = std::max(height, table->rowHeight(row));
    return height;
  };
  missing->resize(600, 500);
  EXPECT_TRUE(QTest::qWaitFor([&] { return highest() > 2 * table->fontMetrics().height(); }, kTimeout)) << highest();
  EXPECT_EQ(table->horizontalScrollBar()->maximum(), 0) << "all columns are visible";
  const int narrow = highest();
  missing->resize(3000, 500);
  EXPECT_TRUE(QTest::qWaitFor([&] { return highest() < narrow; }, kTimeout)) << highest();
  const QModelIndex first = table->model()->index(0, 0);
  EXPECT_NE(first.data(Qt::TextAlignmentRole).toInt() & Qt::AlignTop, 0);
}

TEST_F(TablePages, BeginWithOneOfManyRanks) {
  std::vector<RecordedRank> ranks(64);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[rank].rank = static_cast<std::int64_t>(rank);
  writeRanks(path_, ranks, 64);
  EXPECT_FALSE(open("missing")->command().contains("--run")) << "it has few rows of each run";
  const auto ops = open("ops");
  EXPECT_TRUE(ops->command().endsWith(" ops --run 1")) << ops->command().toStdString();
  auto* box = named<QComboBox>(*ops, "Run");
  ASSERT_NE(box, nullptr);
  EXPECT_EQ(box->currentText(), "O1 rank 0");
  ASSERT_TRUE(box->isEditable());
  const auto type = [&](const QString& text) {
    box->lineEdit()->setText(text);
    QTest::keyClick(box->lineEdit(), Qt::Key_Return);
  };
  type("rank");
  EXPECT_EQ(box->currentText(), "O1 rank 0") << "no run is called so";
  type("O1 rank 7");
  EXPECT_EQ(box->currentData().toLongLong(), 8);
  EXPECT_TRUE(ops->command().endsWith(" ops --run 8")) << ops->command().toStdString();
}

}  // namespace table_page_test
}  // namespace ampprof::gui

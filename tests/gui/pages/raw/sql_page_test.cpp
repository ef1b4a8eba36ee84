// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/raw/sql_page.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "tests/cli/synthetic_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace sql_page_test {

constexpr int kTimeout = 20'000;  // in ms
constexpr const char* kEndless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

class SqlPages : public testing::Test {
 protected:
  SqlPages() {
    cli::write_synthetic_report(folder_ / "r.ampprof");
    page_ = std::make_unique<SqlPage>(std::make_shared<const ReportFile>(folder_ / "r.ampprof"));
    page_->show();
    QSignalSpy answered(page_.get(), &SqlPage::answered);
    page_->open();
    EXPECT_TRUE(answered.wait(kTimeout));
  }

  void ask(const QString& sql) {
    named<QPlainTextEdit>(*page_, "Query")->setPlainText(sql);
    QSignalSpy answered(page_.get(), &SqlPage::answered);
    QTest::keyClick(named<QPlainTextEdit>(*page_, "Query"), Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(answered.wait(kTimeout));
  }
  const QAbstractItemModel* rows() const { return named<QTableView>(*page_, "Answer")->model(); }
  QString said() const { return named<QLabel>(*page_, "Note on the answer")->text(); }

  test_support::TemporaryFolder folder_;
  std::unique_ptr<SqlPage> page_;
};

TEST_F(SqlPages, BeginWithTheTablesOfTheReport) {
  EXPECT_GT(rows()->rowCount(), 10);
  EXPECT_EQ(rows()->headerData(0, Qt::Horizontal).toString(), "table");
}

TEST_F(SqlPages, AnswerAndGiveCsvAndTheCommand) {
  ask("SELECT level, count(r.id), NULL AS empty FROM run r GROUP BY 1 ORDER BY 1");
  ASSERT_EQ(rows()->rowCount(), 3) << said().toStdString();
  EXPECT_EQ(rows()->index(1, 0).data().toString(), "O1");
  EXPECT_EQ(page_->csv().value_or(""), "level,count(r.id),empty\nO0,1,\nO1,1,\nO3,1,\n");
  EXPECT_TRUE(page_->command().endsWith("GROUP BY 1 ORDER BY 1'")) << page_->command().toStdString();
  EXPECT_TRUE(page_->command().startsWith("ampprof sql ")) << page_->command().toStdString();
}

TEST_F(SqlPages, SayWhatIsWrongAsTheCommandLineDoes) {
  ask("SELECT modul FROM call_site");
  EXPECT_TRUE(said().startsWith("no such column: modul. Did you mean 'module'?")) << said().toStdString();
  EXPECT_EQ(rows()->rowCount(), 0);
  EXPECT_FALSE(page_->csv());
  ask("DELETE FROM run");
  EXPECT_TRUE(said().contains("can only read the report")) << said().toStdString();
}

TEST_F(SqlPages, ShowTheFirstRowsAndSaySo) {
  ask("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001) SELECT i FROM n");
  EXPECT_EQ(rows()->rowCount(), 1000);
  EXPECT_TRUE(said().startsWith("Only the first 1000 rows are shown.")) << said().toStdString();
}

TEST_F(SqlPages, CanBeCancelled) {
  named<QPlainTextEdit>(*page_, "Query")->setPlainText(kEndless);
  QSignalSpy answered(page_.get(), &SqlPage::answered);
  QTest::mouseClick(button<QPushButton>(*page_, "&Run"), Qt::LeftButton);
  EXPECT_FALSE(button<QPushButton>(*page_, "&Run")->isEnabled());
  QTest::mouseClick(button<QPushButton>(*page_, "Cancel"), Qt::LeftButton);
  ASSERT_TRUE(answered.wait(kTimeout));
  EXPECT_TRUE(said().startsWith("the query was cancelled")) << said().toStdString();
  EXPECT_TRUE(button<QPushButton>(*page_, "&Run")->isEnabled());
}

}  // namespace sql_page_test
}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/view_state.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTest>
#include <fstream>

#include "gui/pages/decide/board_page.h"
#include "gui/pages/raw/table_page.h"
#include "gui/pages/shared/column_choice.h"
#include "gui/window/report_tab.h"
#include "tests/cli/layered_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace view_state_test {

constexpr int kTimeout = 20'000;  // in ms

struct ViewStates : testing::Test {
  ViewStates() {
    cli::write_layered_report(report_);
    file_ = std::make_shared<const ReportFile>(report_);
  }

  test_support::TemporaryFolder folder_;
  std::filesystem::path report_ = folder_ / "layers.ampprof";
  std::shared_ptr<const ReportFile> file_;
};

TEST_F(ViewStates, ComeBackInAnotherWindow) {
  ReportTab first(file_);
  first.showView("ops");
  named<QLineEdit>(*first.page(), "Filter by op")->setText("linear");
  named<QComboBox>(*first.page(), "Group by")->setCurrentIndex(1);
  const auto query = [](const ReportTab& tab) { return named<QPlainTextEdit>(tab, "Query"); };
  query(first)->setPlainText("SELECT 1");
  first.select("encoder.layers.1.attn.out/linear");
  first.showSteps(queries::StepSpan{2, 3});
  first.board()->open();
  ASSERT_TRUE(QTest::qWaitFor([&] { return first.board()->csv().has_value(); }, kTimeout));
  first.board()->markProposed();
  const QStringList marked = first.board()->marked();
  ASSERT_FALSE(marked.isEmpty());
  writeViewState(report_, viewState(first));

  ReportTab second(file_);
  restoreViewState(second, readViewState(report_));
  EXPECT_EQ(second.viewInFront(), "ops");
  EXPECT_EQ(query(second)->toPlainText(), "SELECT 1");
  EXPECT_EQ(second.page()->command().toStdString(), first.page()->command().toStdString());
  EXPECT_TRUE(second.page()->command().contains(" --steps 2:3 ")) << second.page()->command().toStdString();
  EXPECT_EQ(second.selection(), "encoder.layers.1.attn.out/linear");
  EXPECT_EQ(second.board()->marked(), marked) << "although the board is not read yet";
  second.board()->open();
  ASSERT_TRUE(QTest::qWaitFor([&] { return second.board()->csv().has_value(); }, kTimeout));
  EXPECT_EQ(second.board()->marked(), marked);
  EXPECT_EQ(viewState(second), viewState(first));
}

TEST_F(ViewStates, KeepColumnsAndTheirOrder) {
  const auto read = [](ReportTab& tab) {
    tab.showView("casts");
    auto* table = tab.page()->findChild<QTableView*>();
    EXPECT_TRUE(QTest::qWaitFor([&] { return table->model()->rowCount() > 0; }, kTimeout));
    return table->horizontalHeader();
  };
  ReportTab first(file_);
  QHeaderView* header = read(first);
  EXPECT_EQ(viewState(first)["pages"], viewState(ReportTab(file_))["pages"]) << "only the user's choices are kept";
  header->moveSection(2, 0);
  first.page()->findChild<ColumnChoice*>()->menu()->actions().at(2)->setChecked(false);  // hides the fourth column
  ReportTab second(file_);
  restoreViewState(second, viewState(first));
  EXPECT_EQ(viewState(second)["pages"], viewState(first)["pages"]) << "although it has no column yet";
  header = read(second);
  EXPECT_EQ(header->logicalIndex(0), 2);
  EXPECT_TRUE(header->isSectionHidden(3));
  EXPECT_FALSE(header->isSectionHidden(1));
}

TEST_F(ViewStates, OfADamagedFileAreNone) {
  std::ofstream(viewStateFile(report_)) << "{\"page\": ";
  EXPECT_TRUE(readViewState(report_).isEmpty());
  std::ofstream(viewStateFile(report_))
      << R"({"page": 7, "fp32": ["no such function"], "steps": [3, "x"], "pages": {"ops": {"Run": [], "Columns of ops": [3, {"title": []}]}}})";
  ReportTab tab(file_);
  const QJsonObject before = viewState(tab);
  restoreViewState(tab, readViewState(report_));
  EXPECT_EQ(viewState(tab)["page"], before["page"]);
  EXPECT_EQ(viewState(tab)["pages"], before["pages"]);
}

TEST_F(ViewStates, LeaveTheReportAsItIs) {
  const auto bytes = [&] {
    std::ifstream in(report_, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string before = bytes();
  const ReportTab tab(file_);
  writeViewState(report_, viewState(tab));
  EXPECT_EQ(bytes(), before);
  writeViewState("/no/such/folder/r.ampprof", viewState(tab));  // does nothing
}

}  // namespace view_state_test
}  // namespace ampprof::gui

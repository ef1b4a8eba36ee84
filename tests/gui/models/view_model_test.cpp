// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/view_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "gui/data/report_file.h"
#include "gui/data/view_request.h"
#include "gui/models/full_words.h"
#include "gui/models/view_filter.h"
#include "reports/text/usage_error.h"
#include "tests/cli/layered_report.h"
#include "tests/temporary_folder.h"
#include "views/all_views.h"

namespace ampprof::gui {
namespace view_model_test {

class ViewModels : public testing::Test {
 protected:
  ViewModels() { cli::write_layered_report(folder_.path() / "r.ampprof"); }

  views::View view(const char* name) const { return ReportFile(folder_.path() / "r.ampprof").view({.name = name}); }

  test_support::TemporaryFolder folder_;
};

TEST_F(ViewModels, ShowTextsOfAReportAsTheyAre) {
  views::View view{.name = "ops",
                   .keys = {"op"},
                   .columns = {{.title = "op", .key = "op"}},
                   .records = {{.cells = {{"conv"}}, .values = {std::string("<img src=\"http://x\">")}},
                               {.cells = {{"a"}}, .values = {std::string("a & b")}}},
                   .none = ""};
  ViewModel model;
  model.show(std::move(view));
  EXPECT_TRUE(model.index(0, 0).data(Qt::ToolTipRole).toString().contains("&lt;img"));
  EXPECT_EQ(model.index(1, 0).data(Qt::ToolTipRole).toString(), "a & b");
}

class EveryView : public ViewModels, public testing::WithParamInterface<const char*> {};

TEST_P(EveryView, HasTheCellsOfTheCommandLine) {
  ViewModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  const views::View expected = view(GetParam());
  model.show(view(GetParam()));
  ASSERT_EQ(model.rowCount(), std::ssize(expected.records));
  ASSERT_EQ(model.columnCount(), std::ssize(expected.columns));
  for (int row = 0; row < model.rowCount(); ++row) {
    for (int column = 0; column < model.columnCount(); ++column) {
      const views::Record& record = expected.records[row];
      const std::string& exact = views::text_at(expected, record, expected.columns[column].key);
      EXPECT_EQ(model.index(row, column).data().toString(), inFullWords(record.cells[column].text, exact));
    }
  }
}

TEST_P(EveryView, ShowsKeysThatItHas) {
  for (const views::Column& column : view(GetParam()).columns) {
    const std::vector<std::string> keys = view(GetParam()).keys;
    EXPECT_TRUE(column.key.empty() || std::ranges::find(keys, column.key) != keys.end()) << column.key;
  }
}

TEST_P(EveryView, SaysWhatEachColumnHolds) {
  ViewModel model;
  model.show(view(GetParam()));
  for (int column = 0; column < model.columnCount(); ++column) {
    EXPECT_FALSE(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty()) << column;
  }
}

INSTANTIATE_TEST_SUITE_P(Views, EveryView, testing::ValuesIn([] {
                           std::vector<const char*> names;
                           for (const views::NamedView& view : views::all_views()) names.push_back(view.name);
                           return names;
                         }()));

TEST_F(ViewModels, AreFilteredAndSortedAsByTheCommandLine) {
  const views::Selection selection{.op = "mm|softmax", .module = "1", .sort = "calls"};
  views::View expected = view("ops");
  select(expected, selection);
  ASSERT_FALSE(expected.records.empty());

  ViewModel model;
  model.show(view("ops"));
  ViewFilter filter(model);
  const QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::Fatal);
  filter.filter(selection);
  filter.sortByKey("calls");
  ASSERT_EQ(filter.rowCount(), std::ssize(expected.records));
  EXPECT_LT(filter.rowCount(), model.rowCount());
  EXPECT_EQ(filter.sortKey(), "calls");
  for (int row = 0; row < filter.rowCount(); ++row) {
    EXPECT_EQ(model.callSite(filter.mapToSource(filter.index(row, 1)).row()).toStdString(),
              views::text_at(expected, expected.records[row], "call_site"));
  }
  filter.filter({});
  filter.sortByKey("");
  EXPECT_EQ(filter.rowCount(), model.rowCount());
  EXPECT_EQ(filter.sortKey(), "");
}

TEST_F(ViewModels, KeepTheirRowsWhereAPatternIsWrong) {
  ViewModel model;
  model.show(view("ops"));
  ViewFilter filter(model);
  filter.filter({.op = "mm"});
  const int rows = filter.rowCount();
  EXPECT_THROW(filter.filter({.op = "("}), text::UsageError);
  EXPECT_EQ(filter.rowCount(), rows);
}

}  // namespace view_model_test
}  // namespace ampprof::gui

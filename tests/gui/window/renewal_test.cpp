// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/renewal.h"

#include <gtest/gtest.h>

#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "gui/pages/raw/table_page.h"
#include "gui/window/main_window.h"
#include "gui/window/report_tab.h"
#include "reports/queries/runs.h"
#include "reports/store/writer.h"
#include "tests/reports/sample_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace renewal_test {

constexpr int kTimeout = 20'000;  // in ms

/// A window with a report that is being written.
class GrowingReport : public testing::Test {
 protected:
  GrowingReport() {
    store::create_report(path_, true);
    writer_.emplace(path_);
    run_ = begin_run("O0");
    add_steps(run_, 1, 200);
    window_.resize(900, 500);
    window_.show();
    QSignalSpy opened(&window_, &MainWindow::opened);
    window_.openReport(QString::fromStdString(path_.string()));
    opened.wait(kTimeout);
  }

  std::int64_t begin_run(const std::string& level) {
    const std::int64_t run = writer_->begin_run(testing_reports::start_of(level));
    writer_->attach(run, {"cpu", "2.11.0", "{}", ""});
    return run;
  }

  void add_steps(std::int64_t run, std::int64_t first, std::int64_t last) {
    Batch batch;
    for (std::int64_t step = first; step <= last; ++step) {
      batch.segments.push_back(testing_reports::segment(step, step, 10 * step, 10 * step + 2));
      batch.losses.push_back({step, 0, 1.0 / static_cast<double>(step)});
    }
    writer_->append(run, batch);
  }

  QTableView* losses() {
    window_.tab()->showView("losses");
    return window_.tab()->page()->findChild<QTableView*>();
  }

  static bool has_rows(const QTableView* table, int rows) {
    return QTest::qWaitFor([&] { return table->model()->rowCount() == rows; }, kTimeout);
  }

  test_support::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "r.ampprof";
  std::optional<store::ReportWriter> writer_;
  std::int64_t run_ = 0;
  MainWindow window_;
};

TEST_F(GrowingReport, IsRefreshedAndNothingMoves) {
  ASSERT_NE(window_.tab(), nullptr);
  QTableView* table = losses();
  ASSERT_TRUE(has_rows(table, 200));
  table->verticalScrollBar()->setValue(120);
  add_steps(run_, 201, 260);
  ASSERT_TRUE(has_rows(table, 260));
  EXPECT_EQ(table->verticalScrollBar()->value(), 120);
}

TEST_F(GrowingReport, HasAPageOfARunThatBeginsLater) {
  ASSERT_NE(window_.tab(), nullptr);
  losses();
  writer_->end_run(run_, 0);
  add_steps(begin_run("O1"), 1, 3);
  EXPECT_TRUE(
      QTest::qWaitFor([&] { return window_.tab() != nullptr && window_.tab()->file()->runs().size() == 2; }, kTimeout));
  EXPECT_TRUE(QTest::qWaitFor([&] { return window_.tab()->viewInFront() == "losses"; }, kTimeout));
}

}  // namespace renewal_test
}  // namespace ampprof::gui

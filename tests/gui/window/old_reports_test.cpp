// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reports/old_reports.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "gui/data/loss_curves.h"
#include "gui/data/overflow.h"
#include "gui/data/overview.h"
#include "gui/data/view_request.h"
#include "gui/window/main_window.h"
#include "gui/window/report_tab.h"
#include "reports/queries/runs.h"
#include "tests/temporary_folder.h"
#include "views/all_views.h"

namespace ampprof::gui {
namespace old_reports_test {

namespace fs = std::filesystem;

constexpr int kTimeout = 20'000;  // in ms; a wait usually takes about 1 % of this

TEST(OldReports, GiveEachPageWhatItShows) {
  for (const fs::path& path : testing_reports::old_reports()) {
    SCOPED_TRACE(path);
    const ReportFile file(path);
    EXPECT_FALSE(file.overview().answer.empty());
    EXPECT_NO_THROW((void)file.losses(nullptr));
    for (const views::NamedView& view : views::all_views()) {
      EXPECT_EQ(file.view({.name = std::string(view.name)}).name, view.name);
    }
    for (const queries::RunRow& run : file.runs()) {
      EXPECT_NE(file.board(run), nullptr);
      EXPECT_NO_THROW((void)file.overflow(run.run));
      EXPECT_NE(file.timelineRun(run.run), nullptr);
    }
  }
}

TEST(OldReports, OpenInAWindow) {
  const test_support::TemporaryFolder folder;
  for (const fs::path& path : testing_reports::old_reports()) {
    SCOPED_TRACE(path);
    const fs::path copy = folder / path.filename().string();
    fs::copy_file(path, copy);
    MainWindow window;
    window.show();
    QSignalSpy opened(&window, &MainWindow::opened);
    window.openReport(QString::fromStdString(copy.string()));
    ASSERT_TRUE(opened.wait(kTimeout));
    QSignalSpy failed(window.tab(), &ReportTab::failed);
    const int pages = static_cast<int>(window.tab()->pages().size());
    for (int page = 0; page < pages; ++page) {
      window.tab()->showPage(page);
      QTest::qWait(1);
    }
    EXPECT_TRUE(failed.isEmpty());
    EXPECT_EQ(test_support::bytes_of(copy), test_support::bytes_of(path));
  }
}

}  // namespace old_reports_test
}  // namespace ampprof::gui

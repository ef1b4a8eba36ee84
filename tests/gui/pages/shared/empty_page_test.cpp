// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/shared/empty_page.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <algorithm>

#include "gui/data/report_file.h"
#include "gui/pages/shared/page_titles.h"
#include "reports/store/writer.h"
#include "tests/cli/synthetic_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace empty_page_test {

constexpr int kTimeout = 20'000;  // in ms

class EmptyPages : public testing::Test {
 protected:
  /// Explains the page of a view, and waits for the sentences.
  void explain(const char* view) {
    const auto title =
        std::ranges::find_if(kPageTitles, [&](const PageTitle& page) { return QString(page.view) == view; });
    ASSERT_NE(title, kPageTitles.end());
    page_.show();
    page_.explain(std::make_shared<const ReportFile>(path_), *title);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !reason()->text().isEmpty(); }, kTimeout));
  }
  const QLabel* reason() const { return page_.findChild<QLabel*>("reason"); }
  const QLabel* remedy() const { return page_.findChild<QLabel*>("remedy"); }
  const QLabel* command() const { return named<QLabel>(page_, "To record it"); }

  test_support::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "r.ampprof";
  EmptyPage page_;
};

TEST_F(EmptyPages, SayWhyAndWhatToDoAndShowTheCommand) {
  cli::write_synthetic_report(path_);
  explain("drift");
  EXPECT_EQ(reason()->text(), "No tensor was followed over steps.");
  EXPECT_TRUE(remedy()->text().startsWith("With --inherited, record")) << remedy()->text().toStdString();
  EXPECT_TRUE(command()->text().contains(" --inherited ")) << command()->text().toStdString();
  EXPECT_TRUE(button<QPushButton>(page_, "Run…")->isVisible());
  for (const QLabel* label : page_.findChildren<QLabel*>()) {
    EXPECT_FALSE(label->isVisible() && label->text() == "To record it:") << "the remedy says it";
  }
}

TEST_F(EmptyPages, ShowNoCommandWhereNothingIsToBeDone) {
  cli::write_synthetic_report(path_);
  explain("stale-casts");
  EXPECT_FALSE(command()->isVisible());
  explain("kernels");
  EXPECT_EQ(command()->text(), "ampprof doctor");
  EXPECT_TRUE(command()->isVisible());
  EXPECT_FALSE(button<QPushButton>(page_, "Run…")->isVisible()) << "it makes no report";
}

TEST_F(EmptyPages, OfAReportWithoutRunsHaveOneReason) {
  store::create_report(path_, false);
  for (const char* view : {"ops", "drift", "kernels"}) {
    explain(view);
    EXPECT_EQ(reason()->text(), "This report holds no run.") << view;
    EXPECT_EQ(command()->text(), "ampprof run -- PROGRAM") << view;
  }
}

}  // namespace empty_page_test
}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QComboBox>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "gui/pages/diagnosis/overflow_page.h"
#include "gui/pages/ranks/ranks_page.h"
#include "gui/pages/time/timeline_page.h"
#include "gui/window/report_tab.h"
#include "tests/gui/ranks_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace window_ranks_test {

constexpr int kTimeout = 20'000;  // in ms

/// A report of ranks in which the second rank is selected.
class RanksOfAReport : public testing::Test {
 protected:
  RanksOfAReport() {
    writeThreeRanks(folder_ / "ranks.ampprof");
    tab_ = std::make_unique<ReportTab>(std::make_shared<const ReportFile>(folder_ / "ranks.ampprof"));
    tab_->resize(1366, 768);
    tab_->show();
    tab_->showView("ranks");
    table_ = tab_->page()->findChild<QTableView*>();
    EXPECT_TRUE(QTest::qWaitFor([&] { return table_->model()->rowCount() == 3; }, kTimeout));
    table_->setCurrentIndex(table_->model()->index(1, 0));
  }

  void expectStepInTimeline() {
    ASSERT_EQ(tab_->viewInFront(), "timeline");
    auto* page = qobject_cast<TimelinePage*>(tab_->page());
    ASSERT_NE(page, nullptr);
    EXPECT_TRUE(QTest::qWaitFor([&] { return page->isFilled(); }, kTimeout));
    EXPECT_EQ(page->canvas().run()->run, 2);
    EXPECT_EQ(named<QComboBox>(*page, "Run")->currentText(), "O1 rank 1");
    const TimeSpan visible = page->canvas().scene().view.visible();
    const auto step = spanOf(kStepOfOverflow, page->canvas().run()->segments);
    ASSERT_TRUE(step);
    EXPECT_LE(visible.from_ns, step->from_ns);
    EXPECT_GE(visible.to_ns, step->to_ns);
    EXPECT_LT(visible.to_ns - visible.from_ns, 2 * (step->to_ns - step->from_ns));
  }

  test_support::TemporaryFolder folder_;
  std::unique_ptr<ReportTab> tab_;
  QTableView* table_ = nullptr;
};

TEST_F(RanksOfAReport, LeadToTheirStepInTheTimeline) {
  QTest::keyClick(table_, Qt::Key_Return);
  expectStepInTimeline();
  auto* page = static_cast<TimelinePage*>(tab_->page());
  QTest::keyClick(&page->canvas(), Qt::Key_Home);
  tab_->showView("ranks");
  QTest::keyClick(table_, Qt::Key_Return);  // the timeline shows this run already
  expectStepInTimeline();
}

TEST_F(RanksOfAReport, LeadToTheirOverflow) {
  auto* link = button<QPushButton>(*tab_->page(), "→ Overflow");
  ASSERT_NE(link, nullptr);
  QTest::mouseClick(link, Qt::LeftButton);
  ASSERT_EQ(tab_->viewInFront(), "events");
  auto* page = qobject_cast<OverflowPage*>(tab_->page());
  ASSERT_NE(page, nullptr);
  EXPECT_TRUE(page->command().endsWith(" events --run 2")) << page->command().toStdString();
  auto* events = named<QTableView>(*page, "Non-finite events");
  EXPECT_TRUE(QTest::qWaitFor([&] { return events->model()->rowCount() == 1; }, kTimeout));
  EXPECT_EQ(events->currentIndex().row(), 0);
}

}  // namespace window_ranks_test
}  // namespace ampprof::gui

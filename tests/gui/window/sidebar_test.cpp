// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/sidebar.h"

#include <gtest/gtest.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "gui/data/report_file.h"
#include "gui/data/view_request.h"
#include "gui/pages/shared/command_dialog.h"
#include "gui/pages/shared/page_titles.h"
#include "gui/window/report_tab.h"
#include "reports/store/writer.h"
#include "tests/cli/synthetic_report.h"
#include "tests/gui/ranks_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"
#include "views/table/view.h"

namespace ampprof::gui {
namespace sidebar_test {

constexpr int kTimeout = 20'000;  // in ms

QStringList shownIn(const Sidebar& sidebar) {
  QStringList shown;
  for (int row = 0; row < sidebar.count(); ++row) {
    if (!sidebar.item(row)->isHidden()) shown << sidebar.item(row)->text();
  }
  return shown;
}

TEST(PageTitles, KeepPagesOfAGroupTogether) { EXPECT_TRUE(std::ranges::is_sorted(kPageTitles, {}, &PageTitle::group)); }

TEST(Sidebar, ShowsThePagesOfRanksWhereThereAreSeveral) {
  EXPECT_FALSE(shownIn(Sidebar(false)).contains("Distributed"));
  EXPECT_FALSE(shownIn(Sidebar(false)).contains("Ranks"));
  EXPECT_TRUE(shownIn(Sidebar(true)).contains("Distributed"));
  EXPECT_TRUE(shownIn(Sidebar(true)).contains("Ranks"));
}

TEST(Sidebar, GoesFromPageToPageByArrowsAndPassesTitles) {
  Sidebar sidebar(false);
  sidebar.show();
  sidebar.choosePage(5);
  QSignalSpy chosen(&sidebar, &Sidebar::chosen);
  QTest::keyClick(&sidebar, Qt::Key_Down);
  ASSERT_EQ(chosen.count(), 1);
  EXPECT_EQ(chosen[0][0].toInt(), 6) << "the first page of the next group";
  QTest::keyClick(&sidebar, Qt::Key_Up);
  EXPECT_EQ(chosen.value(1).value(0).toInt(), 5);
}

TEST(Sidebar, CutsNoTitle) {
  Sidebar sidebar(true);
  sidebar.resize(sidebar.sizeHint().width(), 400);
  sidebar.show();
  for (int row = 0; row < sidebar.count(); ++row) {
    const QRect place = sidebar.visualItemRect(sidebar.item(row));
    EXPECT_GE(place.width(), QFontMetrics(sidebar.item(row)->font()).horizontalAdvance(sidebar.item(row)->text()));
  }
}

/// A report of ranks, recorded without a shadow.
class PagesOfAReport : public testing::Test {
 protected:
  PagesOfAReport() {
    writeThreeRanks(folder_ / "ranks.ampprof");
    tab_ = std::make_unique<ReportTab>(std::make_shared<const ReportFile>(folder_ / "ranks.ampprof"));
    tab_->resize(1280, 720);
    tab_->show();
    EXPECT_TRUE(QTest::qWaitFor([&] { return tab_->sidebar().isEmpty(placeOf("drift")); }, kTimeout));
  }

  static int placeOf(const QString& view) {
    const auto found = std::ranges::find_if(kPageTitles, [&](const PageTitle& page) { return view == page.view; });
    return static_cast<int>(found - kPageTitles.begin());
  }
  const QLabel* command() const { return named<QLabel>(*tab_, "To record it"); }

  test_support::TemporaryFolder folder_;
  std::unique_ptr<ReportTab> tab_;
};

TEST_F(PagesOfAReport, AreGreyWhereItHasNothingForThem) {
  EXPECT_FALSE(tab_->sidebar().isEmpty(placeOf("ops")));
  EXPECT_FALSE(tab_->sidebar().isEmpty(placeOf("findings")));
  EXPECT_FALSE(tab_->sidebar().isEmpty(placeOf("events")));
  EXPECT_TRUE(tab_->sidebar().isEmpty(placeOf("kernels")));
  const QListWidgetItem* drift = tab_->sidebar().findItems("Drift", Qt::MatchExactly).value(0);
  ASSERT_NE(drift, nullptr);
  EXPECT_TRUE(drift->toolTip().contains("ampprof run --inherited")) << drift->toolTip().toStdString();
  EXPECT_EQ(drift->data(Qt::AccessibleTextRole).toString(), "Drift, empty");
}

TEST_F(PagesOfAReport, SayWithWhichCommandToRecordWhatTheyLack) {
  EXPECT_FALSE(command()->isVisible());
  tab_->showView("drift");
  ASSERT_TRUE(command()->isVisible());
  EXPECT_TRUE(command()->text().contains(" --inherited -o ")) << command()->text().toStdString();
  EXPECT_TRUE(command()->text().contains("ranks-again.ampprof")) << command()->text().toStdString();
  QTest::mouseClick(named<QPushButton>(*tab_, "Copy: To record it"), Qt::LeftButton);
  EXPECT_EQ(QGuiApplication::clipboard()->text(), command()->text());
  QTest::mouseClick(button<QPushButton>(*tab_, "Run…"), Qt::LeftButton);
  const auto* dialog = tab_->findChild<CommandDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(named<QPlainTextEdit>(*dialog, "Command")->toPlainText(), command()->text()) << "it waits for the user";
  tab_->showView("ops");
  EXPECT_FALSE(command()->isVisible());
}

TEST_F(PagesOfAReport, SayOnlyWhyTheyAreEmptyAndWhatToDo) {
  const auto* reason = tab_->findChild<QLabel*>("reason");
  const auto* remedy = tab_->findChild<QLabel*>("remedy");
  for (const char* view : {"kernels", "idle", "stale-casts", "drift"}) {
    tab_->showView(view);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !reason->text().isEmpty(); }, kTimeout)) << view;
    const views::View printed = tab_->file()->view({.name = view});
    EXPECT_EQ(reason->text().toStdString(), printed.none) << "as in the command line";
    EXPECT_EQ(remedy->text().toStdString(), printed.remedy);
    EXPECT_TRUE(reason->isVisible() && remedy->isVisible()) << view;
    EXPECT_FALSE(tab_->page()->isVisible()) << "filters of nothing in " << view;
  }
  tab_->showView("kernels");
  EXPECT_EQ(command()->text(), "ampprof doctor");
  EXPECT_FALSE(button<QPushButton>(*tab_, "Run…")->isVisible()) << "it makes no report";
  tab_->showView("ops");
  EXPECT_FALSE(reason->isVisible());
  EXPECT_TRUE(tab_->page()->isVisible());
}

TEST_F(PagesOfAReport, HaveATitleEach) {
  const auto* title = tab_->findChild<QLabel*>("title");
  ASSERT_NE(title, nullptr);
  for (const PageTitle& page : kPageTitles) {
    tab_->showView(page.view);
    EXPECT_TRUE(title->isVisible());
    EXPECT_EQ(title->text(), page.title);
    EXPECT_EQ(tab_->sidebar().currentItem()->text(), page.title);
  }
}

TEST(PagesOfRanks, AreListedAndExplainedOnceTheyAreChosenInAReportWithoutRanks) {
  const test_support::TemporaryFolder folder;
  cli::write_synthetic_report(folder / "r.ampprof");
  ReportTab tab(std::make_shared<const ReportFile>(folder / "r.ampprof"));
  tab.show();
  EXPECT_FALSE(shownIn(tab.sidebar()).contains("Ranks"));
  tab.showView("ranks");
  EXPECT_EQ(tab.sidebar().currentItem()->text(), "Ranks");
  for (const char* title : {"Distributed", "Ranks", "Collectives"}) {
    EXPECT_TRUE(shownIn(tab.sidebar()).contains(title)) << title;
  }
  const auto* reason = tab.findChild<QLabel*>("reason");
  EXPECT_TRUE(QTest::qWaitFor([&] { return reason->text().startsWith("There are no ranks"); }, kTimeout));
  EXPECT_TRUE(reason->isVisible());
  EXPECT_TRUE(named<QLabel>(tab, "To record it")->text().contains(" --ranks 2 "));
}

/// A page without data is grey in the sidebar and has to say why.
TEST(PageTitles, SayHowToFillEachPageThatMayBeEmpty) {
  const test_support::TemporaryFolder folder;
  store::create_report(folder / "r.ampprof", false);
  const ReportFile file(folder / "r.ampprof");
  for (const PageTitle& page : kPageTitles) {
    const QString tables = page.tables;
    if (tables.isEmpty() || tables == "op_total" || tables == "call_chunk") continue;
    const views::View view = file.view({.name = page.view});
    const bool is_good_news = view.name == "events";
    EXPECT_TRUE(is_good_news || !view.remedy.empty()) << page.view;
  }
}

}  // namespace sidebar_test
}  // namespace ampprof::gui

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

#include "gui/pages/shared/command_dialog.h"
#include "gui/pages/shared/page_titles.h"
#include "gui/window/report_tab.h"
#include "tests/cli/synthetic_report.h"
#include "tests/gui/ranks_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

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

TEST_F(PagesOfAReport, SayWhichMachineOrProgramTheyNeed) {
  const auto* needs = named<QLabel>(*tab_, "What the page needs");
  for (const char* view : {"kernels", "idle", "stale-casts"}) {
    tab_->showView(view);
    ASSERT_TRUE(needs->isVisible()) << view;
    EXPECT_TRUE(needs->text().startsWith("This page needs ")) << needs->text().toStdString();
    EXPECT_TRUE(needs->text().contains("ampprof run")) << needs->text().toStdString();
    EXPECT_FALSE(command()->isVisible()) << view << ": no flag records it here";
  }
  tab_->showView("ops");
  EXPECT_FALSE(needs->isVisible());
}

/// A page without data is grey in the sidebar and has to say why.
TEST(PageTitles, SayHowToFillEachPageThatMayBeEmpty) {
  for (const PageTitle& page : kPageTitles) {
    const bool may_be_empty = QString(page.tables) != "" && QString(page.tables) != "op_total";
    const bool says_how = QString(page.flags) != "" || QString(page.needs) != "";
    const bool is_good_news = QString(page.view) == "events" || QString(page.view) == "timeline";
    EXPECT_TRUE(!may_be_empty || says_how || is_good_news) << page.view;
  }
}

}  // namespace sidebar_test
}  // namespace ampprof::gui

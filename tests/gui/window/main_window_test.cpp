// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/main_window.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QThreadPool>
#include <QTreeView>
#include <algorithm>
#include <cstring>
#include <fstream>

#include "gui/pages/compare/compare_page.h"
#include "gui/pages/decide/board_page.h"
#include "gui/pages/decide/confirm_dialog.h"
#include "gui/pages/diagnosis/diagnosis_page.h"
#include "gui/pages/diagnosis/overview_page.h"
#include "gui/pages/raw/record_details.h"
#include "gui/pages/raw/table_page.h"
#include "gui/window/command_palette.h"
#include "gui/window/picture.h"
#include "gui/window/recent_reports.h"
#include "gui/window/report_tab.h"
#include "gui/window/sidebar.h"
#include "gui/window/theme.h"
#include "reports/queries/missing.h"
#include "tests/cli/layered_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/gui/ranks_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"
#include "tests/views/all_runs.h"
#include "views/diagnosis/missing.h"

namespace ampprof::gui {
namespace main_window_test {

constexpr int kTimeout = 20'000;  // in ms; a wait usually takes about 1 % of this

/// A window with a report, operated by keys and clicks.
class Window : public testing::Test {
 protected:
  Window() { window_.show(); }

  QString file(const char* name) const { return QString::fromStdString((folder_ / name).string()); }

  ReportTab* open(const char* name) {
    QSignalSpy opened(&window_, &MainWindow::opened);
    window_.openReport(file(name));
    return opened.wait(kTimeout) ? window_.tab() : nullptr;
  }

  ReportTab* openSynthetic() {
    cli::write_synthetic_report(folder_ / "digits.ampprof");
    return open("digits.ampprof");
  }

  ReportTab* openLayered() {
    cli::write_layered_report(folder_ / "layers.ampprof");
    return open("layers.ampprof");
  }

  /// Brings a table page to the front and waits for its rows.
  TablePage* table(ReportTab* tab, const char* view) {
    tab->showView(view);
    auto* page = qobject_cast<TablePage*>(tab->page());
    if (rows(page)->model()->columnCount() == 0) {
      QSignalSpy shown(page, &TablePage::shown);
      shown.wait(kTimeout);
    }
    return page;
  }

  static QTableView* rows(QWidget* page) { return page->findChild<QTableView*>(); }
  QString command() const { return window_.findChild<QLabel*>("command")->text(); }

  test_support::TemporaryFolder folder_;
  MainWindow window_;
};

TEST_F(Window, SelectsTheSameInAllPages) {
  ReportTab* tab = openLayered();
  ASSERT_NE(tab, nullptr);
  QTableView* ops = rows(table(tab, "ops"));
  ops->setCurrentIndex(ops->model()->index(3, 0));
  const QString site = ops->model()->index(3, 1).data(Qt::ToolTipRole).toString();
  ASSERT_FALSE(site.isEmpty());

  QTableView* ranges = rows(table(tab, "ranges"));  // the page reads its rows after the selection
  EXPECT_EQ(ranges->currentIndex().siblingAtColumn(1).data(Qt::ToolTipRole).toString(), site);
  tab->showView("decide");
  auto* board = tab->page()->findChild<QTreeView*>();
  EXPECT_TRUE(QTest::qWaitFor([&] { return board->currentIndex().data().toString() == site; }, kTimeout));

  QTest::keyClick(&window_, Qt::Key_Escape);
  for (QAbstractItemView* view : std::initializer_list<QAbstractItemView*>{ops, ranges, board}) {
    EXPECT_FALSE(view->selectionModel()->hasSelection());
  }
}

TEST_F(Window, AnswersFirstAndLeadsToTheEvidence) {
  ReportTab* tab = openSynthetic();
  ASSERT_NE(tab, nullptr);
  EXPECT_NE(qobject_cast<DiagnosisPage*>(tab->page()), nullptr) << "first what is wrong";
  QTest::keyClick(&window_, Qt::Key_2, Qt::AltModifier);
  auto* overview = qobject_cast<OverviewPage*>(tab->page());
  ASSERT_NE(overview, nullptr);
  const auto has_links = [&] { return !overview->findChildren<QPushButton*>().isEmpty(); };
  ASSERT_TRUE(QTest::qWaitFor(has_links, kTimeout));
  EXPECT_EQ(rows(overview)->model()->columnCount(), 3) << "a column for each run";
  const QList<QPushButton*> links = overview->findChildren<QPushButton*>();
  for (const QPushButton* link : links) EXPECT_EQ(link->x(), links.front()->x()) << "below each other";
  const auto to_events =
      std::ranges::find(links, QString("→ Overflow"), [](QPushButton* link) { return link->text(); });
  ASSERT_NE(to_events, links.end());
  QTest::mouseClick(*to_events, Qt::LeftButton);
  EXPECT_EQ(command(), "ampprof show " + file("digits.ampprof") + " events --run 2");
}

TEST_F(Window, SaysWhatIsMissing) {
  ReportTab* tab = openLayered();
  ASSERT_NE(tab, nullptr);
  const auto* banner = tab->findChild<QLabel*>("missing");
  ASSERT_TRUE(QTest::qWaitFor([&] { return banner->isVisible(); }, kTimeout));
  views::AllRuns opened(folder_ / "layers.ampprof");
  EXPECT_EQ(banner->text().toStdString(),
            "⚠ " + views::note_of_missing(opened.source().missing(), file("layers.ampprof").toStdString()));
}

TEST_F(Window, FiltersAsOneTypesAndShowsTheCommandForIt) {
  ReportTab* tab = openLayered();
  ASSERT_NE(tab, nullptr);
  TablePage* page = table(tab, "ops");
  const int all = rows(page)->model()->rowCount();
  QTest::keyClick(&window_, Qt::Key_F, Qt::ControlModifier);
  ASSERT_EQ(QApplication::focusWidget(), page->filterField());
  QTest::keyClicks(QApplication::focusWidget(), "mm");
  const int some = rows(page)->model()->rowCount();
  EXPECT_GT(some, 0);
  EXPECT_LT(some, all);
  EXPECT_EQ(command(), "ampprof show " + file("layers.ampprof") + " ops --op mm");
  EXPECT_EQ(std::ranges::count(page->csv().value_or(""), '\n'), some + 1);
  QTest::keyClicks(QApplication::focusWidget(), "(");
  EXPECT_EQ(rows(page)->model()->rowCount(), some) << "a pattern that is not finished takes nothing away";
}

TEST_F(Window, GroupsAsTheCommandLineDoes) {
  ReportTab* tab = openLayered();
  ASSERT_NE(tab, nullptr);
  TablePage* page = table(tab, "ops");
  const int all = rows(page)->model()->rowCount();
  QSignalSpy shown(page, &TablePage::shown);
  for (auto* choice : page->findChildren<QComboBox*>()) {
    if (choice->accessibleName() == "Group by") choice->setCurrentText("by class");
  }
  ASSERT_TRUE(shown.wait(kTimeout));
  EXPECT_LT(rows(page)->model()->rowCount(), all);
  EXPECT_EQ(command(), "ampprof show " + file("layers.ampprof") + " ops --group-by class");
}

TEST_F(Window, GoesToPagesAndCopiesTheCommandByKeys) {
  ReportTab* tab = openSynthetic();
  ASSERT_NE(tab, nullptr);
  QTest::keyClick(&window_, Qt::Key_3, Qt::AltModifier);
  QTest::keyClick(&window_, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(QApplication::clipboard()->text(), "ampprof show " + file("digits.ampprof") + " events --run 2");
}

TEST_F(Window, GoesToTheSidebarAndFromPageToPageByArrows) {
  ReportTab* tab = openSynthetic();
  ASSERT_NE(tab, nullptr);
  QTest::keyClick(&window_, Qt::Key_6, Qt::AltModifier);
  QTest::keyClick(&window_, Qt::Key_0, Qt::AltModifier);
  for (const char* view : {"decide", "modules", "impact"}) {
    QTest::keyClick(window_.focusWidget(), Qt::Key_Down);
    EXPECT_EQ(tab->viewInFront(), view);
    QThreadPool::globalInstance()->waitForDone();
    QTest::qWait(1);
    EXPECT_EQ(window_.focusWidget(), &tab->sidebar()) << "the page does not take the keys";
  }
}

TEST_F(Window, ShowsTheBeginningOfALongCommandAndCopiesTheWhole) {
  ReportTab* tab = openSynthetic();
  ASSERT_NE(tab, nullptr);
  tab->showView("sql");
  EXPECT_TRUE(command().endsWith("…")) << command().toStdString();
  QTest::keyClick(&window_, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(QApplication::clipboard()->text(), tab->page()->command());
}

TEST_F(Window, HoldsSeveralReportsAndClosesThem) {
  ASSERT_NE(openSynthetic(), nullptr);
  ReportTab* second = openLayered();
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(window_.tab(), second);
  EXPECT_EQ(recentReports().value(0), file("layers.ampprof"));
  QTest::keyClick(&window_, Qt::Key_W, Qt::ControlModifier);
  ASSERT_NE(window_.tab(), nullptr);
  EXPECT_EQ(nameOf(*window_.tab()->file()), "digits.ampprof");
  QTest::keyClick(&window_, Qt::Key_W, Qt::ControlModifier);
  EXPECT_EQ(window_.tab(), nullptr);
  EXPECT_EQ(command(), "");
}

TEST_F(Window, DecidesByKeys) {
  ReportTab* tab = openLayered();
  ASSERT_NE(tab, nullptr);
  QTest::keyClick(&window_, Qt::Key_7, Qt::AltModifier);
  auto* page = qobject_cast<BoardPage*>(tab->page());
  ASSERT_NE(page, nullptr);
  auto* tree = page->findChild<QTreeView*>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return tree->model()->rowCount() > 0; }, kTimeout));
  EXPECT_TRUE(page->advice().policy.empty());
  ASSERT_EQ(QApplication::focusWidget(), tree);
  QTest::keyClick(tree, Qt::Key_Down);
  QTest::keyClick(tree, Qt::Key_Space);
  EXPECT_FALSE(page->advice().policy.empty());
}

TEST_F(Window, ConfirmsByARunThatTheUserStarts) {
  ReportTab* tab = openSynthetic();
  ASSERT_NE(tab, nullptr);
  tab->showView("decide");
  auto* page = qobject_cast<BoardPage*>(tab->page());
  auto* tree = page->findChild<QTreeView*>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return tree->model()->rowCount() > 0; }, kTimeout));
  page->markProposed();
  page->confirm();
  auto* dialog = page->findChild<ConfirmDialog*>();
  ASSERT_NE(dialog, nullptr);
  auto* command = named<QPlainTextEdit>(*dialog, "Command");
  EXPECT_TRUE(command->toPlainText().contains(" run --levels O0,O1 --policy ")) << command->toPlainText().toStdString();
  // The command copies a report instead of running the program.
  const QString made = confirmedReport(file("digits.ampprof"));
  command->setPlainText("cp " + file("digits.ampprof") + " " + made);
  QSignalSpy opened(&window_, &MainWindow::opened);
  auto* start = button<QPushButton>(*dialog, "&Start");
  ASSERT_NE(start, nullptr);
  QTest::mouseClick(start, Qt::LeftButton);
  ASSERT_TRUE(opened.wait(kTimeout));
  EXPECT_EQ(nameOf(*window_.tab()->file()), "digits-confirmed.ampprof");
}

TEST_F(Window, ComparesTwoLevels) {
  ReportTab* tab = openSynthetic();
  ASSERT_NE(tab, nullptr);
  tab->showView("diff");
  auto* page = qobject_cast<ComparePage*>(tab->page());
  ASSERT_NE(page, nullptr);
  QSignalSpy shown(page, &ComparePage::shown);
  ASSERT_TRUE(shown.wait(kTimeout));
  const auto* runs = named<QTableView>(*page, "Runs compared")->model();
  const auto* sites = named<QTableView>(*page, "Call sites compared")->model();
  EXPECT_EQ(runs->headerData(1, Qt::Horizontal).toString(), "O0 → O3") << "the level of least precision";
  const auto says = [&](const QString& part) {
    const auto labels = page->findChildren<QLabel*>();
    return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text().contains(part); });
  };
  EXPECT_TRUE(says("\"?\": cannot be told from noise"));
  EXPECT_TRUE(runs->headerData(1, Qt::Horizontal, Qt::ToolTipRole).toString().contains("\"?\": cannot be told"));
  const int all = sites->rowCount();
  EXPECT_GT(all, 1);
  QTest::keyClicks(page->filterField(), "conv");
  EXPECT_LT(sites->rowCount(), all);
  EXPECT_EQ(command(), "ampprof diff " + file("digits.ampprof") + " --run O0 --run O3 --op conv");
  named<QComboBox>(*page, "with")->setCurrentText("O0");
  EXPECT_TRUE(says("Both sides are O0. Choose two different runs."));
  EXPECT_FALSE(named<QTableView>(*page, "Call sites compared")->isVisible()) << "nothing is compared";
  EXPECT_EQ(sites->rowCount(), 0) << "nothing of the former levels is left";
}

TEST_F(Window, DecidesAboutTheLevelThatIsChosen) {
  ReportTab* tab = openSynthetic();
  ASSERT_NE(tab, nullptr);
  tab->showView("decide");
  auto* level = named<QComboBox>(*tab->page(), "Run");
  EXPECT_EQ(level->count(), 2) << "in FP32 there is nothing to decide";
  EXPECT_EQ(level->currentText(), "O1");
  const auto board = [&] { return tab->page()->csv().value_or(""); };
  ASSERT_TRUE(QTest::qWaitFor([&] { return !board().empty(); }, kTimeout));
  const std::string at_o1 = board();
  EXPECT_EQ(command(), "ampprof advise " + file("digits.ampprof"));
  level->setCurrentText("O3");
  EXPECT_TRUE(QTest::qWaitFor([&] { return board() != at_o1; }, kTimeout));
  EXPECT_EQ(command(), "ampprof advise " + file("digits.ampprof") + " --run 3");
}

TEST_F(Window, ComparesTwoReports) {
  ASSERT_NE(openSynthetic(), nullptr);
  cli::write_synthetic_report(folder_ / "again.ampprof");
  ReportTab* tab = open("again.ampprof");
  ASSERT_NE(tab, nullptr);
  tab->showView("diff");
  auto* page = qobject_cast<ComparePage*>(tab->page());
  const auto* b = named<QComboBox>(*page, "with");
  EXPECT_EQ(b->count(), 6) << "three levels of each";
  const int other = b->findText("O1 of digits.ampprof");
  ASSERT_GE(other, 0);
  QSignalSpy shown(page, &ComparePage::shown);
  named<QComboBox>(*page, "Compare")->setCurrentText("O1");
  named<QComboBox>(*page, "with")->setCurrentIndex(other);
  ASSERT_TRUE(shown.wait(kTimeout));
  EXPECT_GT(named<QTableView>(*page, "Call sites compared")->model()->rowCount(), 1);
  EXPECT_EQ(command(), "ampprof diff " + file("again.ampprof") + " " + file("digits.ampprof") + " --run O1 --run O1");

  QTest::keyClick(&window_, Qt::Key_Tab, Qt::ControlModifier);
  QTest::keyClick(&window_, Qt::Key_W, Qt::ControlModifier);  // closes the other report of the comparison
  EXPECT_EQ(b->count(), 3) << "it is offered no longer";
  EXPECT_EQ(b->currentIndex(), 0);
}

TEST_F(Window, ComparesTheTwoLevelsOfAReportWithoutABaseline) {
  ReportTab* tab = openLayered();
  ASSERT_NE(tab, nullptr);
  tab->showView("diff");
  EXPECT_EQ(command(), "ampprof diff " + file("layers.ampprof") + " --run O1 --run O2");
}

TEST_F(Window, ComparesASingleRunWithARunOfTheNextReport) {
  writeRanks(folder_ / "one.ampprof", std::vector<RecordedRank>(1), 1);
  ReportTab* tab = open("one.ampprof");
  ASSERT_NE(tab, nullptr);
  tab->showView("diff");
  auto* page = qobject_cast<ComparePage*>(tab->page());
  const auto* b = named<QComboBox>(*page, "with");
  ASSERT_EQ(b->count(), 1);
  const auto says_what_to_do = [](const QLabel* label) {
    return label->text().contains("this report has one. Open a second report") &&
           label->text().endsWith("ampprof run --levels O0,O1 -- PROGRAM");
  };
  EXPECT_TRUE(std::ranges::any_of(page->findChildren<QLabel*>(), says_what_to_do));
  EXPECT_EQ(command(), "ampprof diff " + file("one.ampprof"));
  ASSERT_NE(openSynthetic(), nullptr);
  EXPECT_EQ(b->currentText(), "O0 of digits.ampprof");
}

TEST_F(Window, GivesTheTableOfEachPageAsTheCommandLineDoes) {
  ReportTab* tab = openSynthetic();
  ASSERT_NE(tab, nullptr);
  table(tab, "ops");
  for (const char* view : {"runs", "ops", "events"}) {
    tab->showView(view);
    const auto csv = [&] { return tab->page()->csv().value_or(""); };
    ASSERT_TRUE(QTest::qWaitFor([&] { return csv().starts_with("run,level,"); }, kTimeout)) << view;
    EXPECT_GT(std::ranges::count(csv(), '\n'), 1) << view;
  }
  tab->showView("decide");
  ASSERT_TRUE(QTest::qWaitFor([&] { return tab->page()->csv().has_value(); }, kTimeout));
  const std::string board = *tab->page()->csv();
  EXPECT_TRUE(board.starts_with("call site,local error,")) << board;
  EXPECT_NE(board.find("features.conv1/conv2d,"), std::string::npos) << board;
}

TEST_F(Window, SavesPicturesAsPixelsAndAsVectors) {
  ASSERT_NE(openSynthetic(), nullptr);
  QWidget& page = *window_.tab()->page();
  ASSERT_TRUE(savePicture(page, file("page.png")));
  EXPECT_FALSE(QImage(file("page.png")).isNull());
  ASSERT_TRUE(savePicture(page, file("page.svg")));
  QFile svg(file("page.svg"));
  ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
  EXPECT_TRUE(svg.readAll().contains("<svg"));
  EXPECT_FALSE(savePicture(page, file("no/such/folder.png")));
}

TEST_F(Window, DropsAReportThatWasCancelled) {
  cli::write_synthetic_report(folder_ / "digits.ampprof");
  window_.openReport(file("digits.ampprof"));
  auto* cancel = button<QPushButton>(window_, "Cancel");
  ASSERT_NE(cancel, nullptr);
  ASSERT_TRUE(cancel->isVisible());
  QTest::mouseClick(cancel, Qt::LeftButton);
  EXPECT_FALSE(cancel->isVisible());
  QThreadPool::globalInstance()->waitForDone();
  QApplication::processEvents();
  EXPECT_EQ(window_.tab(), nullptr);
  EXPECT_NE(open("digits.ampprof"), nullptr) << "it can be opened again";
}

TEST_F(Window, TakesAThemeAndRemembersIt) {
  choose(Theme::Dark);
  EXPECT_LT(QApplication::palette().color(QPalette::Base).lightness(), 64);
  EXPECT_EQ(chosenTheme(), Theme::Dark);
  choose(Theme::Light);
  EXPECT_GT(QApplication::palette().color(QPalette::Base).lightness(), 192);
  choose(Theme::System);
  EXPECT_EQ(chosenTheme(), Theme::System);
}

TEST_F(Window, KeepsWhatOneSetBesideTheReport) {
  ASSERT_NE(openSynthetic(), nullptr);
  QTest::keyClick(&window_, Qt::Key_W, Qt::ControlModifier);
  const std::filesystem::path kept = folder_ / "digits.ampprof.view.json";
  EXPECT_FALSE(std::filesystem::exists(kept)) << "nothing was set";
  table(open("digits.ampprof"), "ops");
  QTest::keyClick(&window_, Qt::Key_W, Qt::ControlModifier);
  EXPECT_TRUE(std::filesystem::exists(kept));
  ReportTab* again = open("digits.ampprof");
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(again->viewInFront(), "ops");
}

TEST_F(Window, MarksWhatIsAdvisedFromTheOverview) {
  ReportTab* tab = openSynthetic();
  ASSERT_NE(tab, nullptr);
  tab->showView("runs");
  const auto mark = [&] { return named<QPushButton>(*tab->page(), "Mark what ampprof advises"); };
  ASSERT_TRUE(QTest::qWaitFor([&] { return mark() != nullptr; }, kTimeout));
  QTest::mouseClick(mark(), Qt::LeftButton);
  EXPECT_EQ(tab->viewInFront(), "decide");
  EXPECT_TRUE(QTest::qWaitFor([&] { return !tab->board()->marked().isEmpty(); }, kTimeout)) << "once it is read";
}

TEST_F(Window, ShowsAllThatARowStandsFor) {
  ReportTab* tab = openSynthetic();
  ASSERT_NE(tab, nullptr);
  TablePage* page = table(tab, "ops");
  rows(page)->selectRow(0);
  const auto* details = page->findChild<RecordDetails*>();
  ASSERT_TRUE(details->isVisible());
  EXPECT_GT(details->topLevelItemCount(), rows(page)->model()->columnCount()) << "what has no column, too";
}

TEST_F(Window, FindsCommandsByTheirNames) {
  ReportTab* tab = openSynthetic();
  ASSERT_NE(tab, nullptr);
  QTest::keyClick(&window_, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  auto* palette = window_.findChild<CommandPalette*>();
  ASSERT_NE(palette, nullptr);
  auto* words = palette->findChild<QLineEdit*>();
  QTest::keyClicks(words, "tensor go");
  QTest::keyClick(words, Qt::Key_Return);
  EXPECT_EQ(command(), "ampprof show " + file("digits.ampprof") + " tensor-cores");
}

struct BadFile {
  const char* name;
  const char* content;
  const char* sentence;
};

class UnreadableFile : public Window, public testing::WithParamInterface<BadFile> {};

TEST_P(UnreadableFile, IsRefusedWithASentence) {
  if (GetParam().content != nullptr) std::ofstream(folder_ / GetParam().name) << GetParam().content;
  QSignalSpy refused(&window_, &MainWindow::refused);
  window_.openReport(file(GetParam().name));
  ASSERT_TRUE(refused.wait(kTimeout));
  EXPECT_TRUE(refused[0][0].toString().contains(GetParam().sentence)) << refused[0][0].toString().toStdString();
  EXPECT_EQ(window_.tab(), nullptr);
  window_.findChild<QMessageBox*>()->close();
}

INSTANTIATE_TEST_SUITE_P(Files, UnreadableFile,
                         testing::Values(BadFile{"none.ampprof", nullptr, "none.ampprof"},
                                         BadFile{"text.ampprof", "loss = 0.3\n", "text.ampprof"},
                                         BadFile{"empty.ampprof", "", "empty.ampprof"}),
                         [](const auto& info) { return std::string(info.param.name, strcspn(info.param.name, ".")); });

}  // namespace main_window_test
}  // namespace ampprof::gui

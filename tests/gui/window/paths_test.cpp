// SPDX-License-Identifier: GPL-3.0-or-later
// A user who has never seen the window needs at most six clicks from a question to its answer.
#include <gtest/gtest.h>

#include <QFileDialog>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeView>
#include <fstream>

#include "gui/pages/decide/board_page.h"
#include "gui/pages/decide/confirm_dialog.h"
#include "gui/pages/recipes/recipes_page.h"
#include "gui/pages/shared/page_titles.h"
#include "gui/window/main_window.h"
#include "gui/window/report_tab.h"
#include "gui/window/sidebar.h"
#include "tests/cli/layered_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/gui/recipes_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace paths_test {

constexpr int kTimeout = 20'000;  // in ms
constexpr int kMostClicks = 6;

/// Acts as a user with a mouse, and counts the clicks.
class Paths : public testing::Test {
 protected:
  void open(const std::filesystem::path& report) {
    window_.resize(1280, 720);
    window_.show();
    QSignalSpy opened(&window_, &MainWindow::opened);
    window_.openReport(QString::fromStdString(report.string()));
    ASSERT_TRUE(opened.wait(kTimeout));
  }
  void TearDown() override { EXPECT_LE(clicks_, kMostClicks); }

  ReportTab& tab() const { return *window_.tab(); }

  /// Waits until `look` finds an enabled widget.
  template <class Widget>
  Widget* find(const std::function<Widget*()>& look) {
    Widget* found = nullptr;
    EXPECT_TRUE(QTest::qWaitFor([&] { return (found = look()) != nullptr && found->isEnabled(); }, kTimeout));
    return found;
  }

  void clickButton(const QString& text) {
    auto* found = find<QPushButton>([&] { return button<QPushButton>(*tab().page(), text); });
    ASSERT_NE(found, nullptr) << text.toStdString();
    click(found, found->rect().center());
  }

  void clickPage(const QString& title) {
    auto& sidebar = const_cast<Sidebar&>(tab().sidebar());
    const QList<QListWidgetItem*> items = sidebar.findItems(title, Qt::MatchExactly);
    ASSERT_FALSE(items.isEmpty()) << title.toStdString();
    // A group may have the name of one of its pages.
    click(sidebar.viewport(), sidebar.visualItemRect(items.back()).center());
    EXPECT_EQ(pageTitle(tab().viewInFront()), title);
  }

  void clickFirstRow(QAbstractItemView* view) {
    ASSERT_TRUE(QTest::qWaitFor([&] { return view->model()->rowCount() > 0; }, kTimeout));
    click(view->viewport(), view->visualRect(view->model()->index(0, 0)).center());
  }

  void click(QWidget* widget, const QPoint& place) {
    ++clicks_;
    QTest::mouseClick(widget, Qt::LeftButton, {}, place);
  }

  test_support::TemporaryFolder folder_;
  MainWindow window_;
  int clicks_ = 0;
};

TEST_F(Paths, LeadFromAnOverflowToAConfirmedPolicy) {
  cli::write_synthetic_report(folder_ / "r.ampprof");
  open(folder_ / "r.ampprof");
  clickPage("Overflow");
  auto* events = tab().page()->findChild<QTableView*>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return events->model()->rowCount() > 0; }, kTimeout));
  clickPage("Decide");
  clickButton("&Advise");
  clickButton("&Run to confirm…");
  auto* dialog = tab().board()->findChild<ConfirmDialog*>();
  ASSERT_NE(dialog, nullptr);
  auto* command = named<QPlainTextEdit>(*dialog, "Command");
  EXPECT_TRUE(command->toPlainText().contains(" --policy "));
  const QString report = QString::fromStdString((folder_ / "r.ampprof").string());
  command->setPlainText("cp " + report + " " + confirmedReport(report));  // copies a report instead of a run
  QSignalSpy opened(&window_, &MainWindow::opened);
  auto* start = button<QPushButton>(*dialog, "&Start");
  click(start, start->rect().center());
  ASSERT_TRUE(opened.wait(kTimeout));
  EXPECT_EQ(nameOf(*tab().file()), "r-confirmed.ampprof");
}

TEST_F(Paths, LeadFromNoSpeedUpToASizeThatDoesNotFit) {
  cli::write_layered_report(folder_ / "r.ampprof");
  open(folder_ / "r.ampprof");
  clickPage("Tensor Cores");
  auto* rows = tab().page()->findChild<QTableView*>();
  clickFirstRow(rows);
  EXPECT_FALSE(tab().selection().isEmpty()) << "all pages show this call site now";
  QStringList titles;
  for (int column = 0; column < rows->model()->columnCount(); ++column) {
    titles << rows->model()->headerData(column, Qt::Horizontal).toString();
  }
  EXPECT_TRUE(titles.contains("padded") || titles.contains("offending")) << titles.join(", ").toStdString();
}

TEST_F(Paths, LeadFromFp8ToALayerByLayerPolicy) {
  writeTwoRecipes(folder_ / "r.ampprof");
  open(folder_ / "r.ampprof");
  clickPage("Recipes");
  clickButton("&Advise");
  clickButton("&Save policy…");
  auto* dialog = find<QFileDialog>([&] { return tab().page()->findChild<QFileDialog*>(); });
  ASSERT_NE(dialog, nullptr);
  const QString path = QString::fromStdString((folder_ / "p.amp").string());
  emit dialog->fileSelected(path);
  std::ifstream file(path.toStdString());
  const std::string policy{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(policy.find("recipe mxfp8"), std::string::npos) << policy;
}

}  // namespace paths_test
}  // namespace ampprof::gui

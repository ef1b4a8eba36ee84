// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/start_page.h"

#include <gtest/gtest.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include "gui/window/main_window.h"
#include "gui/window/recent_reports.h"
#include "gui/window/report_tab.h"
#include "tests/cli/synthetic_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace start_page_test {

constexpr int kTimeout = 20'000;  // in ms

/// A window without a report. The settings name an existing report and a deleted one.
class Start : public testing::Test {
 protected:
  Start() {
    QSettings().clear();
    cli::write_synthetic_report(folder_ / "here.ampprof");
    rememberReport(path("here.ampprof"));
    rememberReport(path("gone.ampprof"));
    window_ = std::make_unique<MainWindow>();
    window_->resize(1280, 720);
    window_->show();
    recent_ = named<QTreeWidget>(*window_, "Recent reports");
    EXPECT_TRUE(QTest::qWaitFor([&] { return recent_->topLevelItemCount() >= 2; }, kTimeout));
  }

  ~Start() override { QCoreApplication::setApplicationName(name_); }

  QString path(const char* name) const { return QString::fromStdString((folder_ / name).string()); }

  QString name_ = QCoreApplication::applicationName();
  test_support::TemporaryFolder folder_;
  std::unique_ptr<MainWindow> window_;
  QTreeWidget* recent_ = nullptr;
};

TEST_F(Start, ListsRecentReportsAndGreysThoseThatAreGone) {
  const QTreeWidgetItem* gone = recent_->topLevelItem(0);
  EXPECT_EQ(gone->text(0), "gone.ampprof");
  EXPECT_TRUE(gone->isDisabled());
  EXPECT_EQ(gone->text(3), "the file is gone");
  const QTreeWidgetItem* here = recent_->topLevelItem(1);
  EXPECT_EQ(here->text(0), "here.ampprof");
  EXPECT_FALSE(here->isDisabled());
  EXPECT_FALSE(here->text(2).isEmpty());
}

TEST_F(Start, OpensARecentReportAndComesBackWhenItIsClosed) {
  EXPECT_TRUE(recent_->isVisible());
  recent_->setCurrentItem(recent_->topLevelItem(1));
  QSignalSpy opened(window_.get(), &MainWindow::opened);
  QTest::keyClick(recent_, Qt::Key_Return);
  ASSERT_TRUE(opened.wait(kTimeout));
  EXPECT_FALSE(recent_->isVisible());
  EXPECT_NE(named<QWidget>(*window_, "Reports"), nullptr);
  EXPECT_TRUE(named<QWidget>(*window_, "Reports")->isVisible()) << "with one report as well";
  QTest::keyClick(window_.get(), Qt::Key_W, Qt::ControlModifier);
  EXPECT_TRUE(recent_->isVisible());
}

TEST_F(Start, CopiesCommandsThatRecord) {
  QTest::mouseClick(named<QPushButton>(*window_, "Copy: Python script"), Qt::LeftButton);
  EXPECT_EQ(QGuiApplication::clipboard()->text(), "ampprof run --levels O0,O1 -- python train.py");
}

}  // namespace start_page_test
}  // namespace ampprof::gui

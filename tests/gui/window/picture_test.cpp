// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/picture.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include "gui/window/main_window.h"
#include "gui/window/report_tab.h"
#include "tests/cli/synthetic_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace picture_test {

constexpr int kTimeout = 20'000;  // in ms
constexpr const char* kCopy = "Copy page as p&icture";

/// Opens the context menu of a widget. Returns the texts of its entries.
QStringList contextMenuOf(QWidget* widget) {
  QStringList said;
  QTimer::singleShot(0, widget, [&] {
    if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
      for (const QAction* action : menu->actions()) said << action->text();
      menu->close();
    }
  });
  QContextMenuEvent event(QContextMenuEvent::Mouse, {5, 5}, widget->mapToGlobal(QPoint(5, 5)));
  QApplication::sendEvent(widget, &event);
  return said;
}

class PicturesOfPages : public testing::Test {
 protected:
  PicturesOfPages() {
    cli::write_synthetic_report(folder_ / "r.ampprof");
    window_.show();
    QSignalSpy opened(&window_, &MainWindow::opened);
    window_.openReport(QString::fromStdString((folder_ / "r.ampprof").string()));
    EXPECT_TRUE(opened.wait(kTimeout));
    QGuiApplication::clipboard()->clear();
  }

  QAction* copy() const {
    for (QAction* action : window_.findChildren<QAction*>()) {
      if (action->text() == kCopy) return action;
    }
    return nullptr;
  }

  test_support::TemporaryFolder folder_;
  MainWindow window_;
};

TEST(Picture, IsCopiedAsPixelsAndAsVectors) {
  QLabel label("a page");
  label.resize(200, 100);
  copyPicture(label);
  const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
  EXPECT_EQ(copied->imageData().value<QImage>().size(), label.size());
  EXPECT_TRUE(copied->data("image/svg+xml").contains("<svg"));
}

TEST_F(PicturesOfPages, AreCopiedByAKey) {
  ASSERT_NE(copy(), nullptr);
  copy()->trigger();
  const auto image = QGuiApplication::clipboard()->mimeData()->imageData().value<QImage>();
  EXPECT_EQ(image.size(), window_.tab()->page()->size());
}

TEST_F(PicturesOfPages, AreInTheContextMenuOfEachPage) {
  for (const auto& [view, page] : window_.tab()->pages()) {
    EXPECT_EQ(page->contextMenuPolicy(), Qt::ActionsContextMenu) << view.toStdString();
    EXPECT_TRUE(page->actions().contains(copy())) << view.toStdString();
  }
}

TEST_F(PicturesOfPages, AreReachedFromWithinAPage) {
  window_.tab()->showView("modules");
  EXPECT_TRUE(contextMenuOf(window_.tab()->page()).contains(kCopy));
  for (QWidget* part : window_.tab()->page()->findChildren<QWidget*>()) {
    if (part->accessibleName() != "Modules and ops") continue;
    EXPECT_TRUE(contextMenuOf(part).contains(kCopy));
  }
}

}  // namespace picture_test
}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// Every control of the window has a name for screen readers, and its text is not cut off.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QThreadPool>

#include "gui/window/main_window.h"
#include "gui/window/report_tab.h"
#include "tests/cli/synthetic_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace accessible_test {

constexpr int kTimeout = 20'000;  // in ms

/// Returns whether a widget is a part that Qt made inside one of our controls.
bool isOfQt(const QWidget& widget) {
  const QString name = widget.metaObject()->className();
  return name == "QTableCornerButton" || name == "CloseButton" ||
         qobject_cast<const QHeaderView*>(&widget) != nullptr || name.startsWith("QComboBox") ||
         widget.objectName().startsWith("qt_") || widget.objectName().startsWith("Scroll") ||
         qobject_cast<const QComboBox*>(widget.parentWidget()) != nullptr ||
         qobject_cast<const QLineEdit*>(widget.parentWidget()) != nullptr;
}

bool isControl(const QWidget& widget) {
  return qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
         qobject_cast<const QComboBox*>(&widget) != nullptr || qobject_cast<const QLineEdit*>(&widget) != nullptr ||
         qobject_cast<const QPlainTextEdit*>(&widget) != nullptr ||
         qobject_cast<const QAbstractItemView*>(&widget) != nullptr;
}

std::string placeOf(const QWidget& widget) {
  QString place;
  for (const QWidget* each = &widget; each != nullptr; each = each->parentWidget()) {
    place = QString("%1(%2) ").arg(each->metaObject()->className(), each->accessibleName()) + place;
  }
  return place.toStdString();
}

void expectNames(const QWidget& parent) {
  for (QWidget* widget : parent.findChildren<QWidget*>()) {
    if (!widget->isVisible() || !isControl(*widget) || isOfQt(*widget)) continue;
    const QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(widget);
    ASSERT_NE(spoken, nullptr);
    EXPECT_FALSE(spoken->text(QAccessible::Name).isEmpty()) << placeOf(*widget);
  }
}

void expectWholeTexts(const QWidget& parent) {
  for (const QWidget* widget : parent.findChildren<QWidget*>()) {
    if (!widget->isVisible()) continue;
    if (const auto* label = qobject_cast<const QLabel*>(widget)) {
      const int wanted = label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
      EXPECT_GE(label->height(), wanted) << label->text().toStdString() << " in " << placeOf(*label);
      if (!label->wordWrap() && label->objectName() != "command") {
        EXPECT_GE(label->width(), label->sizeHint().width())
            << label->text().toStdString() << " in " << placeOf(*label);
      }
    }
    if (const auto* button = qobject_cast<const QPushButton*>(widget)) {
      EXPECT_GE(button->width(), button->sizeHint().width())
          << button->text().toStdString() << " in " << placeOf(*button);
    }
  }
}

class SmallWindow : public testing::Test {
 protected:
  SmallWindow() {
    window_.resize(1280, 720);
    window_.show();
    settle();
  }

  /// Waits until pages have read in the background and shown the results.
  static void settle() {
    for (int round = 0; round < 4; ++round) {
      QThreadPool::globalInstance()->waitForDone();
      QTest::qWait(1);
    }
  }

  test_support::TemporaryFolder folder_;
  MainWindow window_;
};

TEST_F(SmallWindow, NamesEachControlOfTheStartPage) {
  expectNames(window_);
  expectWholeTexts(window_);
  EXPECT_EQ(window_.size(), QSize(1280, 720)) << "nothing needs more room";
}

TEST_F(SmallWindow, NamesEachControlOfEachPage) {
  cli::write_synthetic_report(folder_ / "r.ampprof");
  window_.openReport(QString::fromStdString((folder_ / "r.ampprof").string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return window_.tab() != nullptr; }, kTimeout));
  for (std::size_t place = 0; place < window_.tab()->pages().size(); ++place) {
    window_.tab()->showPage(static_cast<int>(place));
    settle();
    SCOPED_TRACE(window_.tab()->viewInFront().toStdString());
    expectNames(window_);
    expectWholeTexts(window_);
    EXPECT_EQ(window_.size(), QSize(1280, 720)) << "nothing needs more room";
  }
}

/// A screen of 1366 x 768 pixels at a scale of 200 % shows 683 x 384 logical pixels.
TEST_F(SmallWindow, ScrollsPagesThatNeedMoreThanATinyScreen) {
  cli::write_synthetic_report(folder_ / "r.ampprof");
  window_.openReport(QString::fromStdString((folder_ / "r.ampprof").string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return window_.tab() != nullptr; }, kTimeout));
  window_.resize(683, 384);
  for (std::size_t place = 0; place < window_.tab()->pages().size(); ++place) {
    window_.tab()->showPage(static_cast<int>(place));
    settle();
    SCOPED_TRACE(window_.tab()->viewInFront().toStdString());
    EXPECT_EQ(window_.size(), QSize(683, 384));
    const QWidget* page = window_.tab()->page();
    if (!page->isVisible()) continue;  // the tab shows why the page is empty instead
    EXPECT_GE(page->width(), page->minimumSizeHint().width()) << "nothing is cut";
    EXPECT_GE(page->height(), page->minimumSizeHint().height()) << "nothing is cut";
  }
}

}  // namespace accessible_test
}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/command_palette.h"

#include <gtest/gtest.h>

#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QTest>

#include "gui/data/findable.h"
#include "gui/pages/diagnosis/finding_card.h"
#include "gui/window/main_window.h"
#include "gui/window/report_tab.h"
#include "tests/gui/stale_cast_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace command_palette_test {

constexpr int kTimeout = 20'000;  // in ms

class Palette : public testing::Test {
 protected:
  void offer(std::vector<Offer> offers) {
    palette_ = std::make_unique<CommandPalette>(std::move(offers), nullptr);
    palette_->show();
  }
  Offer named(const char* name) {
    return {name, "page", [this, name] { taken_ << name; }, [this, name] { taken_ << QString("aside ") + name; }};
  }
  QStringList found() const {
    QStringList names;
    const auto* list = palette_->findChild<QListWidget*>();
    for (int row = 0; row < list->count(); ++row) names << list->item(row)->text().section("    ", 0, 0);
    return names;
  }
  void type(const QString& words) { QTest::keyClicks(palette_->findChild<QLineEdit*>(), words); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(palette_->findChild<QLineEdit*>(), key, modifiers);
  }

  QStringList taken_;
  std::unique_ptr<CommandPalette> palette_;
};

TEST_F(Palette, FindsNamesThatHoldAllWords) {
  offer({named("Tensor Cores"), named("fc1/linear"), named("conv core")});
  type("core te");
  EXPECT_EQ(found(), QStringList{"Tensor Cores"});
}

TEST_F(Palette, PutsNamesFirstThatBeginWithTheWords) {
  offer({named("Save table"), named("Tables")});
  type("tab");
  EXPECT_EQ(found(), (QStringList{"Tables", "Save table"}));
}

TEST_F(Palette, KeepsWhatIsChosenWhenMoreIsRead) {
  offer({named("a one"), named("a two")});
  press(Qt::Key_Down);
  palette_->add({named("a three")});
  EXPECT_EQ(found().size(), 3);
  press(Qt::Key_Return);
  EXPECT_EQ(taken_, QStringList{"a two"});
}

TEST_F(Palette, TakesTheOtherWayWithControl) {
  offer({named("fc1/linear")});
  press(Qt::Key_Return, Qt::ControlModifier);
  EXPECT_EQ(taken_, QStringList{"aside fc1/linear"});
}

TEST_F(Palette, TakesNothingWhereNothingIsFound) {
  offer({named("fc1/linear")});
  type("no such name");
  press(Qt::Key_Return);
  EXPECT_TRUE(taken_.isEmpty());
}

/// A window with a report and a command palette, operated by keys.
class PaletteOfAReport : public testing::Test {
 protected:
  PaletteOfAReport() {
    writeStaleCast(folder_ / "r.ampprof");
    window_.resize(1280, 720);
    window_.show();
    window_.openReport(QString::fromStdString((folder_ / "r.ampprof").string()));
    EXPECT_TRUE(QTest::qWaitFor([&] { return window_.tab() != nullptr; }, kTimeout));
    found_ = findableIn(*window_.tab()->file());
  }

  void take(const QString& words, Qt::KeyboardModifiers modifiers = {}) {
    window_.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window_));
    QTest::keyClick(&window_, Qt::Key_K, Qt::ControlModifier);
    auto* palette = window_.findChild<CommandPalette*>();
    ASSERT_NE(palette, nullptr);
    auto* field = palette->findChild<QLineEdit*>();
    field->setText(words);
    const auto* list = palette->findChild<QListWidget*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return list->count() > 0; }, kTimeout)) << "call sites are read";
    QTest::keyClick(field, Qt::Key_Return, modifiers);
    EXPECT_TRUE(QTest::qWaitFor([&] { return window_.findChild<CommandPalette*>() == nullptr; }, kTimeout));
  }

  test_support::TemporaryFolder folder_;
  MainWindow window_;
  Findable found_;
};

TEST_F(PaletteOfAReport, SelectsACallSiteAndGoesToOpsOrDecide) {
  const QString site = QString::fromStdString(found_.call_sites.at(1));
  take(site);
  EXPECT_EQ(window_.tab()->viewInFront(), "ops");
  EXPECT_EQ(window_.tab()->selection(), site);
  const QString other = QString::fromStdString(found_.call_sites.at(2));
  take(other, Qt::ControlModifier);
  EXPECT_EQ(window_.tab()->viewInFront(), "decide");
  EXPECT_EQ(window_.tab()->selection(), other);
  take(site);
  EXPECT_EQ(window_.tab()->viewInFront(), "decide") << "it was in front";
  EXPECT_EQ(window_.tab()->selection(), site);
}

TEST_F(PaletteOfAReport, GoesToTheCardOfAFinding) {
  ASSERT_FALSE(found_.findings.empty());
  window_.tab()->showView("ops");
  take(QString::fromStdString(found_.findings.back()));
  EXPECT_EQ(window_.tab()->viewInFront(), "findings");
  const QList<FindingCard*> cards = window_.tab()->page()->findChildren<FindingCard*>();
  ASSERT_EQ(cards.size(), static_cast<qsizetype>(found_.findings.size()));
  EXPECT_EQ(window_.focusWidget(), cards.back());
}

}  // namespace command_palette_test
}  // namespace ampprof::gui

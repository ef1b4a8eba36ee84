// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/chain_strip.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "tests/gui/widgets.h"

namespace ampprof::gui {
namespace chain_strip_test {

std::vector<ChainLink> chainOf(int ops) {
  std::vector<ChainLink> chain;
  for (int op = 0; op < ops; ++op) chain.push_back({"then", QString("op%1").arg(op), QString("op%1").arg(op)});
  chain.push_back({"update skipped", "scale 8 → 4"});
  return chain;
}

int opsIn(const ChainStrip& strip) {
  const auto buttons = strip.findChildren<QToolButton*>();
  return static_cast<int>(std::ranges::count_if(buttons, &QToolButton::isCheckable));
}

TEST(ChainStrip, TellsWhichOpWasChosen) {
  ChainStrip strip;
  strip.show(chainOf(3));
  const QSignalSpy chosen(&strip, &ChainStrip::opChosen);
  auto* op = named<QToolButton>(strip, "then op1");
  ASSERT_NE(op, nullptr);
  op->click();
  ASSERT_EQ(chosen.size(), 1);
  EXPECT_EQ(chosen.front().front(), "op1");
  EXPECT_TRUE(op->isChecked());
  strip.select("op2");
  EXPECT_FALSE(op->isChecked());
  EXPECT_TRUE(named<QToolButton>(strip, "then op2")->isChecked());
}

TEST(ChainStrip, LeavesOutOpsInTheMiddleUntilTheyAreWanted) {
  ChainStrip strip;
  strip.show(chainOf(40));
  EXPECT_EQ(opsIn(strip), 5) << "three, and the last two before the effect";
  EXPECT_NE(named<QToolButton>(strip, "then op39"), nullptr);
  auto* more = button<QToolButton>(strip, "35 more ops");
  ASSERT_NE(more, nullptr);
  more->click();
  EXPECT_EQ(opsIn(strip), 40);
}

TEST(ChainStrip, ReplacesTheWayOfAnotherEvent) {
  ChainStrip strip;
  strip.show(chainOf(3));
  strip.show(chainOf(2));
  EXPECT_EQ(opsIn(strip), 2);
}

TEST(ChainStrip, NeverTakesATextOfAReportForHtml) {
  ChainStrip strip;
  strip.show({{"<b>cause</b>", "<b>gradient</b>"}});
  for (const auto* label : strip.findChildren<QLabel*>()) EXPECT_EQ(label->textFormat(), Qt::PlainText);
}

}  // namespace chain_strip_test
}  // namespace ampprof::gui

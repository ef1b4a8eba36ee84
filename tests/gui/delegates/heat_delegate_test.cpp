// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/heat_delegate.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QStandardItemModel>
#include <limits>

#include "gui/delegates/mark_strip.h"
#include "gui/look/look.h"
#include "gui/models/marked_tree.h"

namespace ampprof::gui {
namespace heat_delegate_test {

struct Look {
  const char* name;
  QColor base, text;
};

void PrintTo(const Look& look, std::ostream* out) { *out << look.name; }

class HeatColours : public testing::TestWithParam<Look> {};

TEST_P(HeatColours, LeaveTextLegible) {
  const auto& [name, base, text] = GetParam();
  for (int percent = 0; percent <= 100; ++percent) {
    EXPECT_GE(contrast(heatColour(percent / 100.0, base, text), text), 4.5) << percent;
  }
  EXPECT_GE(contrast(faintColour(base, text), base), 4.5);
  EXPECT_NE(faintColour(base, text), text);
}

TEST_P(HeatColours, TellTheWorstFromTheLeast) {
  const auto& [name, base, text] = GetParam();
  EXPECT_GT(contrast(heatColour(1, base, text), heatColour(0, base, text)), 1.1);
  EXPECT_NE(heatColour(0.5, base, text), heatColour(1, base, text));
}

INSTANTIATE_TEST_SUITE_P(Palettes, HeatColours,
                         testing::Values(Look{"light", {255, 255, 255}, {0, 0, 0}},
                                         Look{"dark", {30, 30, 30}, {240, 240, 240}},
                                         Look{"selected", {48, 110, 170}, {255, 255, 255}}),
                         [](const auto& info) { return info.param.name; });

TEST(Cividis, BeginsBlueEndsYellowAndGrowsLighter) {
  EXPECT_EQ(cividis(0), QColor(0, 32, 77));
  EXPECT_EQ(cividis(1), QColor(255, 234, 70));
  EXPECT_EQ(cividis(7), cividis(1));
  const QColor black(0, 0, 0);
  for (int percent = 1; percent <= 100; ++percent) {
    EXPECT_GE(contrast(cividis(percent / 100.0), black), contrast(cividis((percent - 1) / 100.0), black)) << percent;
  }
}

TEST(HeatColour, IsTheBaseWhereNothingIsLegible) {
  EXPECT_EQ(heatColour(0.5, QColor(128, 128, 128), QColor(128, 128, 128)), QColor(128, 128, 128));
}

/// Paints the first cell of a model, black on white.
QImage painted(const HeatDelegate& delegate, const QStandardItemModel& model, const QSize& size) {
  QImage image(size, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  QStyleOptionViewItem option;
  option.rect = image.rect();
  option.state = QStyle::State_Enabled | QStyle::State_Active;
  option.palette.setColor(QPalette::Base, Qt::white);
  option.palette.setColor(QPalette::Text, Qt::black);
  delegate.paint(&painter, option, model.index(0, 0));
  return image;
}

/// Returns whether a cell with this heat has pixels in the colour of the heat.
bool has_bar(const QVariant& heat) {
  QStandardItemModel model(1, 1);
  model.setData(model.index(0, 0), "7", Qt::DisplayRole);
  model.setData(model.index(0, 0), heat, MarkedTree::HeatRole);
  const QImage image = painted(HeatDelegate(), model, {100, 20});
  const QColor expected = heatColour(heat.toDouble(), Qt::white, Qt::black);
  return image.pixelColor(40, 10) == expected && image.pixelColor(95, 10) != expected;
}

TEST(HeatDelegate, PaintsABarAsLongAsTheHeat) {
  EXPECT_TRUE(has_bar(0.5));
  EXPECT_FALSE(has_bar(0.25));
  EXPECT_FALSE(has_bar(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(has_bar(QVariant()));
}

TEST(HeatDelegate, PaintsAWhiskerWhereTheNumberHasAnInterval) {
  QStandardItemModel model(1, 1);
  model.setData(model.index(0, 0), 0.5, MarkedTree::HeatRole);
  model.setData(model.index(0, 0), QPointF(0.25, 0.75), MarkedTree::WhiskerRole);
  const QImage image = painted(HeatDelegate(), model, {102, 22});
  const auto is_ink = [&](int x) { return image.pixelColor(x, 18) == QColor(Qt::black); };
  EXPECT_FALSE(is_ink(20));
  EXPECT_TRUE(is_ink(30));
  EXPECT_TRUE(is_ink(70));
  EXPECT_FALSE(is_ink(80));
}

TEST(HeatDelegate, KeepsANumberAboveItsWhisker) {
  QStandardItemModel model(1, 1);
  model.setData(model.index(0, 0), 0.5, MarkedTree::HeatRole);
  model.setData(model.index(0, 0), QPointF(0.1, 0.2), MarkedTree::WhiskerRole);
  const QSize size(102, QStyleOptionViewItem().fontMetrics.height() + kMarkStrip);
  const QRect strip(0, size.height() - kMarkStrip, size.width(), kMarkStrip);
  const QImage without = painted(HeatDelegate(), model, size);
  model.setData(model.index(0, 0), "____", Qt::DisplayRole);
  const QImage with = painted(HeatDelegate(), model, size);
  EXPECT_NE(with, without);
  EXPECT_EQ(with.copy(strip), without.copy(strip));
}

}  // namespace heat_delegate_test
}  // namespace ampprof::gui

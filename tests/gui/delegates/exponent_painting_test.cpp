// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/exponent_painting.h"

#include <gtest/gtest.h>

#include <QImage>

#include "gui/delegates/heat_delegate.h"
#include "gui/look/look.h"

namespace ampprof::gui {
namespace exponent_painting_test {

constexpr int kCell = 6;
constexpr int kHeight = 20;
const QRect kRow(0, 0, kCell* ExponentAxis::kCells, kHeight);
const ExponentAxis kAxis(0, kRow.width());

template <class Paint>
QImage painted(Paint paint) {
  QImage image(kRow.size(), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  paint(painter);
  return image;
}

QColor in_cell(const QImage& image, int cell) { return image.pixelColor(cell * kCell + kCell / 2, kHeight / 2); }

TEST(PaintHeat, IsBrighterWhereMoreValuesLie) {
  ExponentAxis::Shares shares{};
  shares[10] = 1e-9;
  shares[20] = 1e-3;
  shares[30] = 1 - 1e-3 - 1e-9;
  const QImage image = painted([&](QPainter& painter) { paintHeat(painter, kRow, kAxis, shares); });
  const QColor black(0, 0, 0);
  EXPECT_EQ(in_cell(image, 0), emptyHeatColour());
  for (const auto& [less, more] : {std::pair(0, 10), std::pair(10, 20), std::pair(20, 30)}) {
    EXPECT_GT(contrast(in_cell(image, more), black), 1.1 * contrast(in_cell(image, less), black)) << more;
  }
}

TEST(PaintHeat, LeavesNoGapBetweenCells) {
  ExponentAxis::Shares shares;
  shares.fill(1.0 / ExponentAxis::kCells);
  const ExponentAxis uneven(0.5, kRow.width() - 7.3);
  const QImage image = painted([&](QPainter& painter) { paintHeat(painter, kRow, uneven, shares); });
  for (int x = 1; x < kRow.width() - 8; ++x) EXPECT_EQ(image.pixelColor(x, 3), image.pixelColor(1, 3)) << x;
}

TEST(PaintLimits, DrawsThoseThatAreChosen) {
  const auto x = static_cast<int>(kAxis.x(-14));
  for (std::size_t format = 0; format < kFormats.size(); ++format) {
    const QImage image = painted([&](QPainter& painter) { paintLimits(painter, kRow, kAxis, Formats().set(format)); });
    const bool begins_here = kFormats[format].smallest_normal == 0x1p-14;
    EXPECT_EQ(image.pixelColor(x, 3), begins_here ? colourOf(format) : QColor(Qt::white)) << format;
  }
  const QImage none = painted([&](QPainter& painter) { paintLimits(painter, kRow, kAxis, {}); });
  EXPECT_EQ(none.pixelColor(x, 3), QColor(Qt::white));
}

TEST(PaintLimits, IsDashedWhereSubnormalNumbersBegin) {
  const QImage image = painted([&](QPainter& painter) { paintLimits(painter, kRow, kAxis, Formats().set(0)); });
  int drawn = 0;
  for (int y = 0; y < kHeight; ++y) drawn += image.pixelColor(static_cast<int>(kAxis.x(-24)), y) == colourOf(0);
  EXPECT_GT(drawn, 0);
  EXPECT_LT(drawn, kHeight);
}

TEST(AxisHeight, HasALineForEachWindow) {
  const QFontMetrics metrics{QFont()};
  EXPECT_EQ(axisHeight(metrics, Formats().set()) - axisHeight(metrics, {}), 4 * metrics.height());
}

}  // namespace exponent_painting_test
}  // namespace ampprof::gui

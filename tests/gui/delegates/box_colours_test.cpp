// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/box_colours.h"

#include <gtest/gtest.h>

#include "gui/delegates/heat_delegate.h"
#include "gui/delegates/precision_colours.h"
#include "gui/look/look.h"

namespace ampprof::gui {
namespace box_colours_test {

using Kind = BoxTone::Kind;

QPalette paletteOn(const QColor& base) {
  QPalette palette;
  palette.setColor(QPalette::Base, base);
  return palette;
}

class BoxColours : public testing::TestWithParam<const char*> {
 protected:
  QColor colour(Kind kind, double value) const { return colourOf(BoxTone{kind, value}, palette_); }

  QPalette palette_ = paletteOn(GetParam());
};

TEST_P(BoxColours, GoFromBlueOverGreyToVermilion) {
  const QColor less = colour(Kind::Change, -1), same = colour(Kind::Change, 0), more = colour(Kind::Change, 1);
  EXPECT_GT(less.blue(), less.red());
  EXPECT_GT(more.red(), more.blue());
  EXPECT_EQ(same.saturation(), 0);
  EXPECT_EQ(same, colour(Kind::Neutral, 0));
}

TEST_P(BoxColours, HaveInkThatCanBeRead) {
  for (const Kind kind : {Kind::Neutral, Kind::Heat, Kind::NonFinite, Kind::Change}) {
    for (double value = -1; value <= 1; value += 0.125) {
      const QColor fill = colour(kind, value);
      EXPECT_GE(contrast(fill, inkOn(fill)), 4.5) << static_cast<int>(kind) << " at " << value;
    }
  }
}

TEST_P(BoxColours, AreOnTheScaleFromEndToEnd) {
  const QImage scale = scaleOf(Kind::Change, {64, 4}, palette_).toImage();
  EXPECT_EQ(scale.pixelColor(0, 1), colour(Kind::Change, -1));
  EXPECT_EQ(scale.pixelColor(63, 1), colour(Kind::Change, 1));
  EXPECT_EQ(scaleOf(Kind::Heat, {64, 4}, palette_).toImage().pixelColor(0, 1), cividis(0));
}

INSTANTIATE_TEST_SUITE_P(OnEachTheme, BoxColours, testing::Values("#ffffff", "#1e1e1e"));

}  // namespace box_colours_test
}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/look/look.h"

#include <gtest/gtest.h>

namespace ampprof::gui {
namespace look_test {

constexpr double kText = 4.5;  // WCAG 2, level AA
constexpr double kLine = 3.0;
constexpr QPalette::ColorRole kGrounds[] = {QPalette::Base, QPalette::AlternateBase, QPalette::Window};

class Theme : public testing::TestWithParam<bool> {
 protected:
  double contrastOf(QPalette::ColorRole ink, QPalette::ColorRole ground) const {
    return contrast(palette_.color(ink), palette_.color(ground));
  }

  QPalette palette_ = ownPalette(GetParam());
};

TEST_P(Theme, IsWhatItIsCalled) { EXPECT_EQ(isDark(palette_), GetParam()); }

TEST_P(Theme, HasLegibleTexts) {
  for (const QPalette::ColorRole ground : kGrounds) {
    for (const auto ink :
         {QPalette::WindowText, QPalette::Text, QPalette::PlaceholderText, QPalette::Link, QPalette::BrightText}) {
      EXPECT_GE(contrastOf(ink, ground), kText) << "role " << ink << " on role " << ground;
    }
  }
  EXPECT_GE(contrastOf(QPalette::ButtonText, QPalette::Button), kText);
  EXPECT_GE(contrastOf(QPalette::HighlightedText, QPalette::Highlight), kText);
  EXPECT_GE(contrastOf(QPalette::ToolTipText, QPalette::ToolTipBase), kText);
}

TEST_P(Theme, HasLegibleTones) {
  for (const Shade& tone : {kGood, kBad, kAttention}) {
    for (const QPalette::ColorRole ground : kGrounds) {
      EXPECT_GE(contrast(colourOn(palette_, tone), palette_.color(ground)), kText) << tone.on_light;
    }
  }
}

TEST_P(Theme, HasLinesThatStandOut) {
  for (const Shade& category : kCategories) {
    EXPECT_GE(contrast(colourOn(palette_, category), palette_.color(QPalette::Base)), kLine) << category.on_light;
  }
}

INSTANTIATE_TEST_SUITE_P(Look, Theme, testing::Bool(),
                         [](const auto& info) { return info.param ? std::string("dark") : std::string("light"); });

TEST(Look, KnowsTheContrastOfBlackAndWhite) {
  EXPECT_DOUBLE_EQ(contrast(Qt::black, Qt::white), 21.0);
  EXPECT_DOUBLE_EQ(contrast(Qt::gray, Qt::gray), 1.0);
}

TEST(Look, MakesTitlesLargerThanHeadings) {
  QFont font;
  font.setPointSizeF(10);
  EXPECT_FALSE(scaled(font, TextSize::Body).bold());
  EXPECT_TRUE(scaled(font, TextSize::Heading).bold());
  EXPECT_GT(scaled(font, TextSize::Title).pointSizeF(), scaled(font, TextSize::Heading).pointSizeF());
}

}  // namespace look_test
}  // namespace ampprof::gui

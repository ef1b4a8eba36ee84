// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/outlined_style.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QStyleOptionButton>

#include "gui/look/look.h"

namespace ampprof::gui {
namespace outlined_style_test {

class Outlined : public testing::TestWithParam<std::tuple<QStyle::PrimitiveElement, bool>> {};

TEST_P(Outlined, StandsOutOnTheWindow) {
  const auto [element, is_dark] = GetParam();
  QStyleOptionButton option;
  option.palette = ownPalette(is_dark);
  option.rect = QRect(0, 0, 15, 15);
  option.state = QStyle::State_Enabled | QStyle::State_Off;
  const QColor window = option.palette.color(QPalette::Window);
  QImage image(option.rect.size(), QImage::Format_RGB32);
  image.fill(window);
  QPainter painter(&image);
  OutlinedStyle().drawPrimitive(element, &option, &painter, nullptr);
  double most = 1;
  for (int place = 0; place < image.width() * image.height(); ++place) {
    most = std::max(most, contrast(image.pixelColor(place % image.width(), place / image.width()), window));
  }
  EXPECT_GE(most, 3.0);
}

INSTANTIATE_TEST_SUITE_P(
    Controls, Outlined,
    testing::Combine(testing::Values(QStyle::PE_IndicatorCheckBox, QStyle::PE_IndicatorRadioButton), testing::Bool()));

}  // namespace outlined_style_test
}  // namespace ampprof::gui

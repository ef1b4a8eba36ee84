// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/parts_delegate.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QStandardItemModel>

#include "gui/delegates/heat_delegate.h"
#include "gui/look/look.h"
#include "gui/models/marked_tree.h"

namespace ampprof::gui {
namespace parts_delegate_test {

TEST(PartRects, FillTheBarByShares) {
  const auto rects = partRects(QRectF(10, 0, 100, 4), {0.25, 0.75, 0.0});
  ASSERT_EQ(rects.size(), 3u);
  EXPECT_EQ(rects[0], QRectF(10, 0, 25, 4));
  EXPECT_EQ(rects[1], QRectF(35, 0, 75, 4));
  EXPECT_EQ(rects[2].width(), 0.0);
}

TEST(PartShades, AreDistinguishableInGrey) {
  EXPECT_GT(contrast(partShade(0), partShade(1)), 2.0);
  EXPECT_GT(contrast(partShade(1), partShade(2)), 1.5);
}

TEST(PartsDelegate, PaintsThePartsBelowTheText) {
  QStandardItemModel model(1, 1);
  model.setData(model.index(0, 0), QVariantList{0.5, 0.5, 0.0}, MarkedTree::PartsRole);
  QImage image(108, 24, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  QStyleOptionViewItem option;
  option.rect = image.rect();
  PartsDelegate().paint(&painter, option, model.index(0, 0));
  EXPECT_EQ(image.pixelColor(30, 20), partShade(0));
  EXPECT_EQ(image.pixelColor(80, 20), partShade(1));
  EXPECT_NE(image.pixelColor(30, 10), partShade(0));
}

}  // namespace parts_delegate_test
}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/bar_delegate.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QStandardItemModel>

#include "gui/delegates/mark_strip.h"
#include "gui/models/view_model.h"

namespace ampprof::gui {
namespace bar_delegate_test {

constexpr QRectF kCell(10, 20, 108, 24);  // 100 pixels between the margins

TEST(BarShape, IsAsLongAsItsShare) {
  const BarShape whole = barShape(kCell, 1.0, 0.0);
  const BarShape half = barShape(kCell, 0.5, 0.0);
  EXPECT_DOUBLE_EQ(whole.bar.width(), 100);
  EXPECT_DOUBLE_EQ(half.bar.width(), 50);
  EXPECT_DOUBLE_EQ(half.bar.left(), whole.bar.left());
  EXPECT_TRUE(kCell.contains(whole.bar));
  EXPECT_TRUE(half.whisker.isNull());
}

TEST(BarShape, HasAWhiskerOfOneStandardErrorToBothSides) {
  const BarShape shape = barShape(kCell, 0.5, 0.1);
  EXPECT_DOUBLE_EQ(shape.whisker.x1(), shape.bar.right() - 10);
  EXPECT_DOUBLE_EQ(shape.whisker.x2(), shape.bar.right() + 10);
}

TEST(BarShape, StaysInItsCell) {
  for (const double noise : {0.6, 5.0}) {
    const BarShape shape = barShape(kCell, 0.9, noise);
    EXPECT_GE(shape.whisker.x1(), kCell.left());
    EXPECT_LE(shape.whisker.x2(), kCell.right());
  }
  EXPECT_GE(barShape(QRectF(0, 0, 3, 10), 1.0, 0.0).bar.width(), 0) << "a cell without room";
}

/// Paints a cell with a whisker, black on white.
QImage painted(const QString& text) {
  QStandardItemModel model(1, 1);
  const QModelIndex index = model.index(0, 0);
  model.setData(index, text, Qt::DisplayRole);
  model.setData(index, 0.2, ViewModel::BarRole);
  model.setData(index, 0.1, ViewModel::NoiseRole);
  QStyleOptionViewItem option;
  option.rect = QRect(0, 0, 108, option.fontMetrics.height() + kMarkStrip);
  option.state = QStyle::State_Enabled | QStyle::State_Active;
  option.palette.setColor(QPalette::Text, Qt::black);
  QImage image(option.rect.size(), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  BarDelegate().paint(&painter, option, index);
  painter.end();
  return image;
}

TEST(BarDelegate, KeepsTheTextAboveTheWhisker) {
  const QImage with = painted("____");
  const QImage without = painted("");
  EXPECT_NE(with, without);
  const QRect strip(0, with.height() - kMarkStrip, with.width(), kMarkStrip);
  EXPECT_EQ(with.copy(strip), without.copy(strip));
}

}  // namespace bar_delegate_test
}  // namespace ampprof::gui

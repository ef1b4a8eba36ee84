// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/tie_delegate.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QStandardItemModel>

#include "gui/models/marked_tree.h"

namespace ampprof::gui {
namespace tie_delegate_test {

/// Six rows, three of which share rank 2. The first has no rank.
class Ties : public testing::Test {
 protected:
  Ties() : model_(6, 1) {
    const int places[] = {0, 2, 2, 2, 5, 6};
    for (int row = 0; row < 6; ++row) {
      if (places[row] > 0) model_.setData(model_.index(row, 0), places[row], MarkedTree::TieRole);
    }
  }

  QModelIndex row(int row) const { return model_.index(row, 0); }
  bool has_bracket(int place) const {
    QImage image(60, 20, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    QStyleOptionViewItem option;
    option.rect = image.rect();
    option.palette.setColor(QPalette::Text, Qt::black);
    TieDelegate().paint(&painter, option, row(place));
    return image.pixelColor(3, 10) == QColor(Qt::black);
  }

  QStandardItemModel model_;
};

TEST_F(Ties, ReachFromTheFirstToTheLast) {
  EXPECT_EQ(tiePlace(row(0)), TiePlace::None);
  EXPECT_EQ(tiePlace(row(1)), TiePlace::First);
  EXPECT_EQ(tiePlace(row(2)), TiePlace::Within);
  EXPECT_EQ(tiePlace(row(3)), TiePlace::Last);
  EXPECT_EQ(tiePlace(row(4)), TiePlace::Alone) << "in another order what it ties with is elsewhere";
}

TEST_F(Ties, ArePaintedAsABracket) {
  for (const int place : {1, 2, 3}) EXPECT_TRUE(has_bracket(place)) << place;
  for (const int place : {0, 4}) EXPECT_FALSE(has_bracket(place)) << place;
}

}  // namespace tie_delegate_test
}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/compare/first_difference_box.h"

#include <gtest/gtest.h>
#include <qcustomplot.h>

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace ampprof::gui {
namespace first_difference_box_test {

queries::SketchRow row(const char* call_site, double sum) {
  queries::SketchRow row;
  row.call_site = row.op = call_site;
  row.step = 1;
  row.sketch.elements = 4;
  row.sketch.checksum = static_cast<std::int64_t>(sum * 1000);
  row.sketch.sum_sq = sum * sum;
  row.sketch.sums[0] = sum;
  return row;
}

struct FirstDifferenceBoxes : testing::Test {
  FirstDifferenceBoxes() { parent_.show(); }

  QString text() const { return box_.findChild<QLabel*>()->text(); }
  QPushButton* button() const { return box_.findChild<QPushButton*>(); }
  QCustomPlot* plot() const { return box_.findChild<QCustomPlot*>(); }

  QWidget parent_;
  FirstDifferenceBox box_{&parent_};
};

TEST_F(FirstDifferenceBoxes, SayWhereTwoSidesFirstDifferAndHowItGrows) {
  const std::vector<compare::Sketches> a{{row("conv2d", 1), row("relu", 2), row("linear", 4), row("argmax", 3)}};
  std::vector<compare::Sketches> b = a;
  b[0][1] = row("relu", 2.5);
  b[0][2] = row("linear", 6);
  b[0][3].sketch.checksum += 1;  // changes the bits, but no sum
  box_.show(firstDifference(a, b));
  EXPECT_TRUE(box_.isVisible());
  EXPECT_TRUE(text().contains("The first call that differs is relu")) << text().toStdString();
  const auto points = plot()->graph(0)->data();
  ASSERT_EQ(points->size(), 2) << "where the distance is known";
  EXPECT_EQ(points->at(0)->key, 1);
  EXPECT_EQ(points->at(0)->value, 0.5 / 2.5) << "of the larger norm";
  EXPECT_EQ(points->at(1)->value, 2.0 / 6.0);

  QSignalSpy chosen(&box_, &FirstDifferenceBox::chosen);
  QTest::mouseClick(button(), Qt::LeftButton);
  ASSERT_EQ(chosen.size(), 1);
  EXPECT_EQ(chosen.front().front().toString(), "relu");
}

TEST_F(FirstDifferenceBoxes, SayThatNothingDiffers) {
  const std::vector<compare::Sketches> a{{row("conv2d", 1)}};
  box_.show(firstDifference(a, a));
  EXPECT_TRUE(box_.isVisible());
  EXPECT_TRUE(text().contains("No call differs")) << text().toStdString();
  EXPECT_FALSE(button()->isVisible());
  EXPECT_FALSE(plot()->isVisible());
}

TEST_F(FirstDifferenceBoxes, HideWithoutSketches) {
  box_.show(firstDifference({{row("conv2d", 1)}}, {{}}));
  EXPECT_FALSE(box_.isVisible());
}

}  // namespace first_difference_box_test
}  // namespace ampprof::gui

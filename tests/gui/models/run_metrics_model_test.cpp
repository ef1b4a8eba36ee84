// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/run_metrics_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "gui/models/view_model.h"

namespace ampprof::gui {
namespace run_metrics_model_test {

TEST(RunMetricsModel, PutsTheBarsOfARowOnOneScale) {
  RunMetricsModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.show(
      {{"steps", {{{"60"}}, {{"60"}}}}, {"time/step", {{{"30 ms"}, 30.0, 2.0}, {{"6 ms", text::Tone::Good}, 6.0, {}}}}},
      {"O0", "O1"});
  ASSERT_EQ(model.rowCount(), 2);
  ASSERT_EQ(model.columnCount(), 2);
  EXPECT_EQ(model.headerData(1, Qt::Horizontal).toString(), "O1");
  EXPECT_EQ(model.headerData(1, Qt::Vertical).toString(), "time/step");
  EXPECT_FALSE(model.index(0, 0).data(ViewModel::BarRole).isValid()) << "steps have no bar";

  const QModelIndex slow = model.index(1, 0);
  const QModelIndex fast = model.index(1, 1);
  EXPECT_DOUBLE_EQ(slow.data(ViewModel::BarRole).toDouble(), 30.0 / 32.0) << "the whisker has room";
  EXPECT_DOUBLE_EQ(slow.data(ViewModel::NoiseRole).toDouble(), 2.0 / 32.0);
  EXPECT_DOUBLE_EQ(fast.data(ViewModel::BarRole).toDouble(), 6.0 / 32.0);
  EXPECT_FALSE(fast.data(ViewModel::NoiseRole).isValid());
  EXPECT_EQ(fast.data().toString(), "6 ms");
  EXPECT_EQ(fast.data(ViewModel::ToneRole).toInt(), static_cast<int>(text::Tone::Good));
}

TEST(RunMetricsModel, DrawsNoBarWhereAllAreZero) {
  RunMetricsModel model;
  model.show({{"share", {{{"0%"}, 0.0, {}}}}}, {"O0"});
  EXPECT_FALSE(model.index(0, 0).data(ViewModel::BarRole).isValid());
}

}  // namespace run_metrics_model_test
}  // namespace ampprof::gui

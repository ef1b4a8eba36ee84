// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/reading_progress.h"

#include <gtest/gtest.h>

#include <QProgressBar>
#include <QPushButton>
#include <QTest>

#include "tests/gui/widgets.h"

namespace ampprof::gui {
namespace reading_progress_test {

constexpr int kTimeout = 20'000;  // in ms

struct ReadingProgresses : testing::Test {
  bool shows(int value) {
    return QTest::qWaitFor([&] { return bar_->maximum() == 100 && bar_->value() == value; }, kTimeout);
  }

  ReadingProgress progress_;
  QProgressBar* bar_ = named<QProgressBar>(progress_, "Opening a report");
};

TEST_F(ReadingProgresses, CountTheTablesOfASingleReport) {
  EXPECT_TRUE(progress_.isHidden());
  const queries::OpenProgress opening = progress_.begin("a");
  EXPECT_FALSE(progress_.isHidden());
  EXPECT_EQ(bar_->maximum(), 0) << "nothing is known before the first table";
  opening(1, 19);
  EXPECT_TRUE(shows(5));
  opening(19, 19);
  EXPECT_TRUE(shows(95)) << "its runs are still to be read";
  EXPECT_TRUE(progress_.end("a"));
  EXPECT_TRUE(progress_.isHidden());
}

TEST_F(ReadingProgresses, CountSeveralReportsTogether) {
  const queries::OpenProgress first = progress_.begin("a");
  const queries::OpenProgress second = progress_.begin("b");
  first(1, 1);
  EXPECT_TRUE(shows(25));
  EXPECT_TRUE(progress_.end("a"));
  EXPECT_TRUE(shows(50));
  second(1, 1);
  EXPECT_TRUE(shows(75));
  EXPECT_TRUE(progress_.end("b"));
  progress_.begin("c")(1, 3);
  EXPECT_TRUE(shows(25)) << "those before are over";
}

TEST_F(ReadingProgresses, WaitForNothingOnceCancelled) {
  const queries::OpenProgress opening = progress_.begin("a");
  QTest::mouseClick(button<QPushButton>(progress_, "Cancel"), Qt::LeftButton);
  EXPECT_TRUE(progress_.isHidden());
  opening(1, 2);  // the reader has not noticed the cancellation yet
  EXPECT_FALSE(progress_.end("a"));
}

TEST_F(ReadingProgresses, TellTheReadingThreadsThatNobodyWaits) {
  progress_.begin("a");
  const std::stop_token first = progress_.stop();
  progress_.begin("b");
  const std::stop_token second = progress_.stop();
  EXPECT_FALSE(first.stop_requested());
  button<QPushButton>(progress_, "Cancel")->click();
  EXPECT_TRUE(first.stop_requested());
  EXPECT_TRUE(second.stop_requested());
}

}  // namespace reading_progress_test
}  // namespace ampprof::gui

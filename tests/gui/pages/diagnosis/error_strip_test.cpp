// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/error_strip.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "gui/delegates/heat_delegate.h"
#include "gui/delegates/tone_delegate.h"

namespace ampprof::gui {
namespace error_strip_test {

queries::StepError error(std::int64_t step, double ulp, std::int64_t nonfinite_calls = 0) {
  ErrorStats stats{.count = 8, .sum_ulp = 8 * ulp, .sum_sq_error = 1, .sum_sq_reference = 4, .sum_sq_output = 4};
  return {.step = step, .nonfinite_calls = nonfinite_calls, .local = stats};
}

class Strip : public testing::Test {
 protected:
  Strip() {
    strip_.showSites(
        {"O1", false, {{"conv/conv2d", {error(1, 0.1), error(2, 1000)}}, {"fc/mm", {error(1, 1), error(2, 1, 3)}}}});
    strip_.resize(600, strip_.sizeHint().height());
    strip_.setVisible(true);
    strip_.setFocus();
  }

  int count(const QColor& colour) {
    const QImage image = strip_.grab().toImage();
    int found = 0;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) found += image.pixelColor(x, y) == colour ? 1 : 0;
    }
    return found;
  }

  ErrorStrip strip_;
};

TEST_F(Strip, ColoursErrorsOnTheScaleAndMarksNanAndInf) {
  EXPECT_GT(count(cividis(0.0)), 500);
  EXPECT_GT(count(cividis(0.25)), 500) << "1 ulp of 0.1 to 1000";
  EXPECT_GT(count(cividis(1.0)), 500);
  EXPECT_GT(count(*colour_of(text::Tone::Bad, strip_.palette())), 500);
}

TEST_F(Strip, MovesByKeysAndTellsTheValue) {
  EXPECT_EQ(strip_.accessibleDescription(), "conv/conv2d, step 1, local error 5.0e-01, on average 0.100 ulp");
  QTest::keyClick(&strip_, Qt::Key_Right);
  EXPECT_EQ(strip_.accessibleDescription(), "conv/conv2d, step 2, local error 5.0e-01, on average 1.00k ulp");
  QTest::keyClick(&strip_, Qt::Key_Down);
  QTest::keyClick(&strip_, Qt::Key_Down);
  EXPECT_EQ(strip_.accessibleDescription(),
            "fc/mm, step 2, first NaN or inf in step 2, local error 5.0e-01, on average 1 ulp");
  QSignalSpy chosen(&strip_, &ErrorStrip::siteChosen);
  QTest::keyClick(&strip_, Qt::Key_Return);
  ASSERT_EQ(chosen.count(), 1);
  EXPECT_EQ(chosen[0][0].toString(), "fc/mm");
}

TEST_F(Strip, ChoosesTheCallSiteThatIsClicked) {
  QSignalSpy chosen(&strip_, &ErrorStrip::siteChosen);
  QTest::mouseClick(&strip_, Qt::LeftButton, {}, {strip_.width() / 2, strip_.height() / 2 - 4});
  QTest::mouseClick(&strip_, Qt::LeftButton, {}, {4, strip_.height() / 2 + 8});
  ASSERT_EQ(chosen.count(), 2);
  EXPECT_EQ(chosen[0][0].toString(), "conv/conv2d");
  EXPECT_EQ(chosen[1][0].toString(), "fc/mm") << "at its name";
}

TEST_F(Strip, TellsRelativeErrorsOfRecipes) {
  strip_.showSites({"mxfp8", true, {{"fc/mm", {error(1, 1e6)}}}});
  EXPECT_EQ(strip_.accessibleDescription(), "fc/mm, step 1, local error 5.0e-01");
}

TEST_F(Strip, SaysWhyThereIsNoError) {
  strip_.showSites({"O0", false, {}});
  EXPECT_TRUE(strip_.accessibleDescription().startsWith("No local error was measured:"));
  QTest::keyClick(&strip_, Qt::Key_Down);
  QTest::keyClick(&strip_, Qt::Key_Return);
  EXPECT_EQ(count(cividis(1.0)), 0);
}

}  // namespace error_strip_test
}  // namespace ampprof::gui

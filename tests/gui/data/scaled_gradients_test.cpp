// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/scaled_gradients.h"

#include <gtest/gtest.h>

#include "reports/queries/ops.h"

namespace ampprof::gui {
namespace scaled_gradients_test {

/// Returns an FP16 gradient at loss scale 2^16. Half of its values have the exponent 17, half have -30.
queries::OpRow gradient() {
  queries::OpRow op;
  op.phase = Phase::Backward;
  op.dtype_out = DType::Half;
  op.scale = 0x1p16;
  op.exponents.emplace();
  op.exponents->counts[ExponentHistogram::bin_of(17)] = 8;
  op.exponents->counts[ExponentHistogram::bin_of(-30)] = 8;
  return op;
}

const advice::LossScaleAdvice kSmaller{.is_bound = false, .init_scale = 0x1p12};

TEST(ScaledGradients, AreShiftedToTheAdvisedScale) {
  const queries::OpRow op = gradient();
  const auto scaled = scaledGradients({&op}, kSmaller);
  ASSERT_TRUE(scaled);
  EXPECT_EQ(scaled->then->counts[ExponentHistogram::bin_of(13)], 8);
  EXPECT_EQ(scaled->then->counts[ExponentHistogram::bin_of(-34)], 8);
  EXPECT_EQ(scaled->lost_now.rounds_to_inf, 0.5);
  EXPECT_EQ(scaled->lost_then.rounds_to_inf, 0.0);
  EXPECT_EQ(scaled->lost_then.rounds_to_zero, 0.5);
  EXPECT_EQ(scaled->text(),
            "At the loss scale in force, 65536, FP16 flushes 50 % of the selected gradients to zero, and 50 % are "
            "beyond 65504. At the advised scale, 4096, the shares are 50 % and 0 %.");
}

TEST(ScaledGradients, AddUpThoseOfOneScale) {
  const queries::OpRow a = gradient();
  queries::OpRow b = gradient();
  EXPECT_EQ(scaledGradients({&a, &b}, kSmaller)->then->total(), 32);
  b.scale = 0x1p10;
  EXPECT_FALSE(scaledGradients({&a, &b}, kSmaller)) << "no scale is in force for both";
}

TEST(ScaledGradients, TakeTheValuesOfTheShadowWhereThereIsOne) {
  queries::OpRow op = gradient();
  op.inherited_exponents.emplace();
  op.inherited_exponents->counts[ExponentHistogram::bin_of(0)] = 3;
  EXPECT_EQ(scaledGradients({&op}, kSmaller)->then->total(), 3);
}

TEST(ScaledGradients, StayWhereTheAdvisedScaleIsInForce) {
  const queries::OpRow op = gradient();
  const auto scaled = scaledGradients({&op}, {.init_scale = 0x1p16});
  ASSERT_TRUE(scaled);
  EXPECT_FALSE(scaled->then);
  EXPECT_TRUE(scaled->text().ends_with("50 % are beyond 65504. This is the advised loss scale.")) << scaled->text();
}

TEST(ScaledGradients, AreNothingWhereNoScaleWouldChangeThem) {
  queries::OpRow forward = gradient();
  forward.phase = Phase::Forward;
  EXPECT_FALSE(scaledGradients({&forward}, kSmaller));
  queries::OpRow unscaled = gradient();
  unscaled.scale.reset();
  EXPECT_FALSE(scaledGradients({&unscaled}, kSmaller));
  const queries::OpRow op = gradient();
  EXPECT_FALSE(scaledGradients({&op}, {})) << "no scale is advised";
  EXPECT_FALSE(scaledGradients({}, kSmaller));
}

}  // namespace scaled_gradients_test
}  // namespace ampprof::gui

// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/loss_scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "reports/queries/ops.h"
#include "reports/queries/scales.h"

namespace ampprof::advice {
namespace loss_scale_test {

/// Returns a histogram with one value for each exponent.
ExponentHistogram with(std::initializer_list<int> exponents) {
  ExponentHistogram histogram;
  for (const int exponent : exponents) ++histogram.counts[ExponentHistogram::bin_of(exponent)];
  return histogram;
}

/// Returns a half gradient recorded at a scale. Its largest value is 2^(e - 1) for the largest exponent e.
queries::OpRow gradient(double scale, std::initializer_list<int> exponents, std::int32_t position = 0) {
  queries::OpRow op;
  op.phase = Phase::Backward;
  op.dtype_out = DType::Half;
  op.position = position;
  op.scale = scale;
  op.exponents = with(exponents);
  const double amax = std::ldexp(1.0, std::max(exponents) - 1);
  op.ranges = RangeStats{.count = static_cast<std::int64_t>(exponents.size()), .amax = amax, .reference_amax = amax};
  return op;
}

queries::ScaleRow decision(std::int32_t loss, double scale, std::int32_t position = 0) {
  queries::ScaleRow row;
  row.position = position;
  row.update.loss_id = loss;
  row.update.scale_after = scale;
  return row;
}

struct Half {
  const char* name;
  int exponent;
  int shift;
  HalfShares expected;
};

void PrintTo(const Half& row, std::ostream* out) { *out << row.name; }

class InHalf : public testing::TestWithParam<Half> {};

TEST_P(InHalf, AValueIsWhereItsExponentPutsIt) {
  EXPECT_EQ(in_half(with({GetParam().exponent}), GetParam().shift), GetParam().expected);
}

// Exponents are those of frexp: 1 has exponent 1.
INSTANTIATE_TEST_SUITE_P(
    LossScale, InHalf,
    testing::Values(Half{"below_2_to_the_minus_25", -25, 0, {1, 0, 0}}, Half{"at_2_to_the_minus_25", -24, 0, {0, 1, 0}},
                    Half{"below_2_to_the_minus_14", -14, 0, {0, 1, 0}}, Half{"at_2_to_the_minus_14", -13, 0, {0, 0, 0}},
                    Half{"one", 1, 0, {0, 0, 0}}, Half{"below_2_to_the_16", 16, 0, {0, 0, 0}},
                    Half{"at_2_to_the_16", 17, 0, {0, 0, 1}}, Half{"shifted_up", -25, 1, {0, 1, 0}},
                    Half{"shifted_down", -24, -1, {1, 0, 0}}, Half{"shifted_over", 16, 1, {0, 0, 1}},
                    Half{"lower_tail", -1000, 0, {1, 0, 0}}, Half{"upper_tail", 1000, 0, {0, 0, 1}}),
    [](const auto& info) { return info.param.name; });

TEST(InHalf, SharesAreOfAllValues) {
  EXPECT_EQ(in_half(with({-30, -20, 1, 20})), (HalfShares{0.25, 0.25, 0.25}));
  EXPECT_EQ(in_half({}), HalfShares{}) << "no values, no shares";
}

const AtScale& at(const LossScaleAdvice& advice, double scale) {
  return *std::ranges::find(advice.scales, scale, &AtScale::scale);
}

TEST(LossScaleAdvice, KnowsTheUnderflowAtEveryScale) {
  // Recorded at 1024 = 2^10: at scale 1 the three values have exponents -35, -25 and -9.
  const auto advice = loss_scale_advice({gradient(1024, {-25, -15, 1})}, {}).at(0);
  ASSERT_EQ(advice.scales.size(), 25u);
  EXPECT_EQ(advice.last_scale, 1024) << "nothing was decided";
  EXPECT_EQ(advice.loss_id, 0);
  EXPECT_DOUBLE_EQ(at(advice, 1).shares.rounds_to_zero, 2.0 / 3);
  EXPECT_DOUBLE_EQ(at(advice, 2).shares.rounds_to_zero, 1.0 / 3);
  EXPECT_DOUBLE_EQ(at(advice, 1024).shares.rounds_to_zero, 1.0 / 3);
  EXPECT_DOUBLE_EQ(at(advice, 2048).shares.rounds_to_zero, 0.0);
  EXPECT_TRUE(at(advice, 0x1p24).overflows == false) << "2^-10 times 2^24 is 2^14";
}

TEST(LossScaleAdvice, LeavesHeadroom) {
  // The largest gradient is 16 at scale 65536, which is 2^-12 at scale 1. It overflows at scales above 65504 * 2^12.
  const auto advice = loss_scale_advice({gradient(65536, {5, -3})}, {}).at(0);
  EXPECT_EQ(advice.largest_safe_scale, 65504 * 0x1p12);
  EXPECT_EQ(advice.init_scale, 0x1p24) << "the engine goes no higher";
  const auto large = loss_scale_advice({gradient(4, {5})}, {}).at(0);  // its largest value is 4 at scale 1
  EXPECT_EQ(large.largest_safe_scale, 65504 / 4.0);
  EXPECT_EQ(large.init_scale, 8192) << "the largest that fits";
  EXPECT_EQ(large.static_scale, 4096) << "four times that would not";
  EXPECT_FALSE(at(large, 8192).overflows);
  EXPECT_TRUE(at(large, 16384).overflows);
}

TEST(LossScaleAdvice, StopsWhereTheEngineDoes) {
  queries::OpRow op = gradient(1, {1});
  op.ranges->amax = op.ranges->reference_amax = 1e-20;
  op.exponents = with({-60});
  const auto advice = loss_scale_advice({op}, {}).at(0);
  EXPECT_EQ(advice.static_scale, 0x1p24);
  EXPECT_EQ(advice.init_scale, 0x1p24);
}

TEST(LossScaleAdvice, LeavesHeadroomOfTwoAtLeast) {
  queries::OpRow op = gradient(1, {1});
  op.ranges->amax = 1.5;
  EXPECT_EQ(loss_scale_advice({op}, {}).at(0).static_scale, 16384) << "24576, where half ends at 65504";
}

TEST(LossScaleAdvice, AdvisesNoScaleBelow1) {
  const auto too_large = loss_scale_advice({gradient(1, {20})}, {});
  ASSERT_EQ(too_large.size(), 1u);
  EXPECT_TRUE(too_large.front().none_fits());
  EXPECT_FALSE(too_large.front().static_scale);
  const auto fits_at_1 = loss_scale_advice({gradient(1, {16})}, {});
  EXPECT_FALSE(fits_at_1.front().none_fits());
  EXPECT_EQ(fits_at_1.front().init_scale, 1.0);
  EXPECT_FALSE(fits_at_1.front().static_scale) << "it would be 0.5";
}

TEST(LossScaleAdvice, LetsALargestHalfBe) {
  queries::OpRow op = gradient(1, {16});
  op.ranges->amax = 65504;
  const auto advice = loss_scale_advice({op}, {}).at(0);
  EXPECT_EQ(advice.largest_safe_scale, 1);
  EXPECT_FALSE(at(advice, 1).overflows);
}

TEST(LossScaleAdvice, TakesTheLargestOfWhatWasAndShouldHaveBeen) {
  queries::OpRow op = gradient(1, {1});
  op.ranges = RangeStats{.amax = 4, .reference_amax = 2};
  EXPECT_EQ(loss_scale_advice({op}, {}).at(0).largest_safe_scale, 65504 / 4.0);
  op.ranges = RangeStats{.amax = 2, .reference_amax = 8};
  EXPECT_EQ(loss_scale_advice({op}, {}).at(0).largest_safe_scale, 65504 / 8.0);
  op.ranges.reset();
  EXPECT_EQ(loss_scale_advice({op}, {}).at(0).largest_safe_scale, 65504 / 2.0) << "the end of the bin";
}

TEST(LossScaleAdvice, GivesTheOnlyLossAllGradients) {
  const auto advice = loss_scale_advice({gradient(1, {5}, 0), gradient(1, {1}, 1)}, {decision(3, 1, 1)});
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].loss_id, 3);
  EXPECT_EQ(advice[0].largest_safe_scale, 65504 / 16.0);
}

TEST(LossScaleAdvice, MergesGradientsRecordedAtDifferentScales) {
  const auto advice = loss_scale_advice({gradient(1024, {1}), gradient(1, {3})}, {}).at(0);
  EXPECT_EQ(advice.largest_safe_scale, 65504 / 4.0) << "the second is the larger one";
}

TEST(LossScaleAdvice, IsABoundUnlessTheShadowSawWhatWasFlushed) {
  queries::OpRow op = gradient(1024, {1, 1});
  EXPECT_TRUE(loss_scale_advice({op}, {}).at(0).is_bound);
  op.inherited_exponents = with({1, 1, -30, -30});
  const auto advice = loss_scale_advice({op}, {}).at(0);
  EXPECT_FALSE(advice.is_bound);
  EXPECT_EQ(at(advice, 1024).shares.rounds_to_zero, 0.5);
  EXPECT_TRUE(loss_scale_advice({op, gradient(1024, {1})}, {}).at(0).is_bound) << "one op has no known scale";
}

TEST(LossScaleAdvice, TakesTheShadowsLargestGradientWhereTheRunsOverflowed) {
  queries::OpRow op = gradient(1024, {1});
  op.inherited_exponents = with({1, 20});
  EXPECT_EQ(loss_scale_advice({op}, {}).at(0).largest_safe_scale, 65504 / std::ldexp(1.0, 10));
}

TEST(LossScaleAdvice, KeepsLossesApartByTheirSegments) {
  const auto advice = loss_scale_advice({gradient(1, {1}, 0), gradient(1, {5}, 1)},
                                        {decision(0, 65536, 0), decision(7, 1024, 1), decision(7, 512, 1)});
  ASSERT_EQ(advice.size(), 2u);
  EXPECT_EQ(advice[0].loss_id, 0);
  EXPECT_EQ(advice[0].largest_safe_scale, 65504.0);
  EXPECT_EQ(advice[0].last_scale, 65536);
  EXPECT_FALSE(advice[0].scale_changed);
  EXPECT_EQ(advice[1].loss_id, 7);
  EXPECT_EQ(advice[1].largest_safe_scale, 65504 / 16.0);
  EXPECT_EQ(advice[1].last_scale, 512);
  EXPECT_TRUE(advice[1].scale_changed);
}

TEST(LossScaleAdvice, IsSilentWithoutHalfGradientsOfKnownScale) {
  queries::OpRow single = gradient(1, {1});
  single.dtype_out = DType::Float;
  queries::OpRow unscaled = gradient(1, {1});
  unscaled.scale = std::nullopt;
  queries::OpRow forward = gradient(1, {1});
  forward.phase = Phase::Forward;
  queries::OpRow zero = gradient(1, {1});
  zero.scale = 0;
  queries::OpRow bare = gradient(1, {1});
  bare.exponents.reset();
  EXPECT_TRUE(loss_scale_advice({single, unscaled, forward, zero, bare}, {decision(0, 1)}).empty());
}

TEST(LossScaleAdvice, SuggestsNothingWhereAllGradientsAreZero) {
  queries::OpRow op = gradient(1, {1});
  op.exponents = ExponentHistogram{};
  op.ranges = RangeStats{.count = 5};
  const auto advice = loss_scale_advice({op}, {}).at(0);
  EXPECT_EQ(advice.largest_safe_scale, std::nullopt);
  EXPECT_EQ(advice.static_scale, std::nullopt);
}

}  // namespace loss_scale_test
}  // namespace ampprof::advice

// SPDX-License-Identifier: Apache-2.0
#include "profiler/loss/loss_scales.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace loss_scales_test {

using Settled = std::vector<LossScales::Settled>;
constexpr bool kNoEngine = false;

const double kTensor = 0;  // its address stands for a scale tensor
const LossFactor kOfScaler{.tensor = &kTensor, .value = 65536.0};
const LossFactor kNumber{.value = 1024.0};

TEST(LossScales, AnEngineSaysItsScaleBeforeThePass) {
  LossScales scales;
  scales.engine_scales_by(8.0);
  EXPECT_EQ(scales.begin({}).scale, 8.0);
  EXPECT_FALSE(scales.has_open());
  scales.engine_scales_by(std::nullopt);
  EXPECT_EQ(scales.begin({}).scale, std::nullopt) << "a pass outside of the engine's";
  EXPECT_EQ(scales.passes(), 2);
  EXPECT_EQ(scales.settle(LossScales::Which::All, /*has_engine=*/true), Settled{}) << "nobody knows";
  EXPECT_FALSE(scales.has_open());
}

TEST(LossScales, AGradScalerSaysItAfterThePass) {
  LossScales scales;
  const LossScales::Begun pass = scales.begin(kOfScaler);
  EXPECT_EQ(pass.scale, std::nullopt);
  EXPECT_EQ(pass.likely_scale, 65536.0) << "a tensor that holds a power of two";
  EXPECT_TRUE(scales.is_open(pass.id));
  EXPECT_FALSE(scales.is_open(pass.id + 1));
  EXPECT_EQ(scales.scaler_decided(&kTensor, 65536.0, 32768.0), (Settled{{1, 65536.0}}));
  EXPECT_FALSE(scales.is_open(pass.id));
  EXPECT_EQ(scales.begin(kOfScaler).scale, 32768.0) << "from now on it is known";
}

TEST(LossScales, OnlyATensorThatHoldsAPowerOfTwoIsLikelyAScale) {
  LossScales scales;
  EXPECT_EQ(scales.begin(kNumber).likely_scale, std::nullopt) << "a number may be a weight";
  EXPECT_EQ(scales.begin({.tensor = &kTensor, .value = 1000.0}).likely_scale, std::nullopt);
  EXPECT_EQ(scales.begin({.tensor = &kTensor}).likely_scale, std::nullopt) << "on a device";
  scales.engine_scales_by(4.0);
  EXPECT_EQ(scales.begin(kOfScaler).likely_scale, 4.0) << "known is better than likely";
}

TEST(LossScales, TheOnlyScalerSpeaksForLossesThatNothingMultiplied) {
  LossScales scales;
  scales.begin({});
  scales.begin({.tensor = &scales});
  EXPECT_EQ(scales.scaler_decided(&kTensor, 4.0, 4.0), (Settled{{1, 4.0}})) << "the second one is another scaler's";
  scales.begin({});
  EXPECT_EQ(scales.scaler_decided(&scales, 2.0, 2.0), (Settled{{2, 2.0}})) << "of two scalers, either may have been";
}

TEST(LossScales, WhatTheProgramSaysHoldsFromThereOn) {
  LossScales scales;
  scales.program_scales_by(512.0);
  EXPECT_EQ(scales.begin(kNumber).scale, 512.0);
  scales.engine_scales_by(8.0);
  EXPECT_EQ(scales.begin(kNumber).scale, 8.0) << "an engine knows better";
}

TEST(LossScales, AProgramThatDividesByWhatItMultipliedByIsGuessed) {
  LossScales scales;
  scales.begin(kNumber);
  EXPECT_EQ(scales.gradients_multiplied_by(0.5), Settled{}) << "clipping";
  EXPECT_EQ(scales.gradients_multiplied_by(1.001 / 1024), Settled{}) << "almost is not";
  EXPECT_EQ(scales.gradients_multiplied_by(1.0 / 1024), (Settled{{1, 1024.0, 1024.0}}));
  EXPECT_EQ(scales.begin(kNumber).scale, 1024.0);
  EXPECT_EQ(scales.begin({.value = 512.0}).scale, std::nullopt);
  EXPECT_EQ(scales.begin({.value = 1.0}).scale, std::nullopt);
  EXPECT_EQ(scales.gradients_multiplied_by(1.0), Settled{}) << "no scale is 1";
}

TEST(LossScales, AScaleOfATensorIsNotGuessed) {
  LossScales scales;
  scales.begin(kOfScaler);
  EXPECT_EQ(scales.gradients_multiplied_by(1.0 / 65536), Settled{}) << "its scaler will say";
  scales.begin(kNumber);
  EXPECT_EQ(scales.gradients_multiplied_by(1.0 / 1024), (Settled{{2, 1024.0, 1024.0}}));
  EXPECT_EQ(scales.begin({.tensor = &kTensor, .value = 1024.0}).scale, std::nullopt);
  EXPECT_EQ(scales.begin({.value = 512.0}).scale, std::nullopt);
}

TEST(LossScales, AGuessIsToldOnce) {
  LossScales scales;
  scales.begin(kNumber);
  scales.begin(kNumber);
  EXPECT_EQ(scales.gradients_multiplied_by(1.0 / 1024), (Settled{{1, 1024.0, 1024.0}, {2, 1024.0}}));
}

TEST(LossScales, WhereNobodyScalesNothingIsDivided) {
  LossScales scales;
  scales.begin({});
  scales.begin({.value = 0.5});
  scales.begin(kNumber);
  EXPECT_EQ(scales.settle(LossScales::Which::All, kNoEngine), (Settled{{1, 1.0}, {2, 1.0}, {3, 1.0, 1024.0}}))
      << "the third looks like a scale that nobody divides by";
}

TEST(LossScales, OnlyAPowerOfTwoFrom8OnLooksLikeAScale) {
  for (const double value : {4.0, 9.0, 1000.0}) {
    LossScales scales;
    scales.begin({.value = value});
    EXPECT_EQ(scales.settle(LossScales::Which::All, kNoEngine), (Settled{{1, 1.0}})) << value;
  }
  LossScales scales;
  scales.begin({.value = 8.0});
  EXPECT_EQ(scales.settle(LossScales::Which::All, kNoEngine), (Settled{{1, 1.0, 8.0}}));
}

TEST(LossScales, APassOfAnotherThreadGoesOnWhenASegmentEnds) {
  LossScales scales;
  const auto ended = scales.begin({}).id;
  scales.begin({});
  scales.end(ended);
  EXPECT_EQ(scales.settle(LossScales::Which::Ended, kNoEngine), (Settled{{ended, 1.0}}));
  EXPECT_TRUE(scales.has_open());
  EXPECT_EQ(scales.settle(LossScales::Which::All, kNoEngine), (Settled{{2, 1.0}}));
}

TEST(LossScales, WhatAScalerDividedByIsThatOfItsSegment) {
  LossScales scales;
  scales.begin({});
  scales.unscaled_by(16.0);
  EXPECT_EQ(scales.unscaled_by(), 16.0);
  EXPECT_EQ(scales.settle(LossScales::Which::All, kNoEngine), (Settled{{1, 16.0}}));
  EXPECT_EQ(scales.unscaled_by(), std::nullopt) << "the next segment has its own";
}

}  // namespace loss_scales_test
}  // namespace ampprof::profiler

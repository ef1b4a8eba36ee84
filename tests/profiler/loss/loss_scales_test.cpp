// SPDX-License-Identifier: Apache-2.0
#include "profiler/loss/loss_scales.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace loss_scales_test {

using Settled = std::vector<LossScales::Settled>;
constexpr bool kNoEngine = false;

const double kTensor = 0;  // only its address matters: it identifies a scale tensor
const LossFactor kOfScaler{.tensor = &kTensor, .value = 65536.0};
const LossFactor kNumber{.value = 1024.0};

/// Returns a chain with one multiplication, by this factor at this line.
LossChain by(const LossFactor& factor, std::int32_t line = 0) { return {{.factor = factor, .site = {line}}}; }

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
  const LossScales::Begun pass = scales.begin(by(kOfScaler));
  EXPECT_EQ(pass.scale, std::nullopt);
  EXPECT_EQ(pass.likely_scale, 65536.0) << "a tensor that holds a power of two";
  EXPECT_TRUE(scales.is_open(pass.id));
  EXPECT_FALSE(scales.is_open(pass.id + 1));
  EXPECT_EQ(scales.scaler_decided(&kTensor, 65536.0, 32768.0), (Settled{{1, 65536.0}}));
  EXPECT_FALSE(scales.is_open(pass.id));
  EXPECT_EQ(scales.begin(by({.tensor = &kTensor})).scale, 32768.0) << "from now on it is known";
}

TEST(LossScales, AScaleThatIsNeverDividedByIsReported) {
  LossScales scales;
  const LossScales::Begun pass = scales.begin(by(kOfScaler));
  scales.end(pass.id);
  const Settled settled = scales.settle(LossScales::Which::Ended, kNoEngine);
  ASSERT_EQ(settled.size(), 1u);
  EXPECT_EQ(settled[0].doubtful, 65536.0);
  EXPECT_TRUE(settled[0].is_by_tensor);
}

TEST(LossScales, AProgramMayDivideByTheScaleOfAScalerItself) {
  LossScales scales;
  const LossScales::Begun pass = scales.begin(by(kOfScaler));
  EXPECT_EQ(scales.gradients_multiplied_by(1.0 / 65536), Settled{}) << "its scaler may speak still";
  EXPECT_EQ(scales.settle(LossScales::Which::All, kNoEngine), (Settled{{pass.id, 65536.0}})) << "there is no doubt";
}

TEST(LossScales, ALossBesideAScaledOneIsNotScaled) {
  for (const bool is_divided : {true, false}) {
    LossScales scales;
    const LossScales::Begun bare = scales.begin({});
    const LossScales::Begun scaled = scales.begin(by(kOfScaler));
    if (is_divided) scales.divides_gradients_of(bare.id);
    EXPECT_EQ(scales.scaler_decided(&kTensor, 65536.0, 65536.0),
              (Settled{{.pass = bare.id, .is_unscaled = is_divided}, {.pass = scaled.id, .scale = 65536.0}}));
  }
}

TEST(LossScales, OnlyATensorThatHoldsAPowerOfTwoIsLikelyAScale) {
  LossScales scales;
  EXPECT_EQ(scales.begin(by(kNumber)).likely_scale, std::nullopt) << "a number may be a weight";
  EXPECT_EQ(scales.begin(by({.tensor = &kTensor, .value = 1000.0})).likely_scale, std::nullopt);
  EXPECT_EQ(scales.begin(by({.tensor = &kTensor})).likely_scale, std::nullopt) << "on a device";
  scales.engine_scales_by(4.0);
  EXPECT_EQ(scales.begin(by(kOfScaler)).likely_scale, 4.0) << "known is better than likely";
}

TEST(LossScales, TheOnlyScalerSpeaksForLossesThatNothingMultiplied) {
  LossScales scales;
  scales.begin({});
  scales.begin(by({.tensor = &scales}));
  EXPECT_EQ(scales.scaler_decided(&kTensor, 4.0, 4.0), (Settled{{1, 4.0}})) << "the second one is another scaler's";
  scales.begin({});
  EXPECT_EQ(scales.scaler_decided(&scales, 2.0, 2.0), (Settled{{2, 2.0}})) << "of two scalers, either may have been";
}

TEST(LossScales, WhatTheProgramSaysHoldsFromThereOn) {
  LossScales scales;
  scales.program_scales_by(512.0);
  EXPECT_EQ(scales.begin(by(kNumber)).scale, 512.0);
  scales.engine_scales_by(8.0);
  EXPECT_EQ(scales.begin(by(kNumber)).scale, 8.0) << "an engine knows better";
}

TEST(LossScales, AProgramThatDividesByWhatItMultipliedByIsGuessed) {
  LossScales scales;
  scales.begin(by(kNumber));
  EXPECT_EQ(scales.gradients_multiplied_by(0.5), Settled{}) << "clipping";
  EXPECT_EQ(scales.gradients_multiplied_by(1.001 / 1024), Settled{}) << "almost is not";
  EXPECT_EQ(scales.gradients_multiplied_by(1.0 / 1024), (Settled{{1, 1024.0, 1024.0}}));
  EXPECT_EQ(scales.begin(by(kNumber)).scale, 1024.0);
  EXPECT_EQ(scales.begin(by({.value = 512.0})).scale, std::nullopt);
  EXPECT_EQ(scales.begin(by({.value = 1.0})).scale, std::nullopt);
  EXPECT_EQ(scales.gradients_multiplied_by(1.0), Settled{}) << "no scale is 1";
}

TEST(LossScales, AScaleOfATensorIsNotGuessed) {
  LossScales scales;
  scales.begin(by(kOfScaler));
  EXPECT_EQ(scales.gradients_multiplied_by(1.0 / 65536), Settled{}) << "its scaler will say";
  scales.begin(by(kNumber));
  EXPECT_EQ(scales.gradients_multiplied_by(1.0 / 1024), (Settled{{2, 1024.0, 1024.0}}));
  EXPECT_EQ(scales.begin(by({.tensor = &kTensor, .value = 1024.0})).scale, std::nullopt);
  EXPECT_EQ(scales.begin(by({.value = 512.0})).scale, std::nullopt);
}

TEST(LossScales, AGuessIsReportedOnce) {
  LossScales scales;
  scales.begin(by(kNumber));
  scales.begin(by(kNumber));
  EXPECT_EQ(scales.gradients_multiplied_by(1.0 / 1024), (Settled{{1, 1024.0, 1024.0}, {2, 1024.0}}));
}

TEST(LossScales, WithoutAScaleNothingIsDivided) {
  LossScales scales;
  scales.begin({});
  scales.begin(by({.value = 0.5}));
  scales.begin(by(kNumber));
  EXPECT_EQ(scales.settle(LossScales::Which::All, kNoEngine), (Settled{{1, 1.0}, {2, 1.0}, {3, 1.0, 1024.0}}))
      << "the third looks like a scale that is never divided by";
}

TEST(LossScales, OnlyAPowerOfTwoFrom8OnLooksLikeAScale) {
  for (const double value : {4.0, 9.0, 1000.0}) {
    LossScales scales;
    scales.begin(by({.value = value}));
    EXPECT_EQ(scales.settle(LossScales::Which::All, kNoEngine), (Settled{{1, 1.0}})) << value;
  }
  LossScales scales;
  scales.begin(by({.value = 8.0}));
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

TEST(LossScales, TheScaleThatAScalerDividedByHoldsForItsSegment) {
  LossScales scales;
  scales.begin({});
  scales.unscaled_by(16.0);
  EXPECT_EQ(scales.unscaled_by(), 16.0);
  EXPECT_EQ(scales.settle(LossScales::Which::All, kNoEngine), (Settled{{1, 16.0}}));
  EXPECT_EQ(scales.unscaled_by(), std::nullopt) << "the next segment has its own";
}

TEST(LossScales, ALossIsWhatAScalerMultiplied) {
  LossScales scales;
  scales.begin(by(kOfScaler, 7));
  EXPECT_EQ(scales.scaled_at(by(kOfScaler, 7)), std::nullopt) << "a tensor may be a weight";
  scales.scaler_decided(&kTensor, 65536.0, 32768.0);
  EXPECT_EQ(scales.scaled_at(by(kOfScaler)), 0u);
  EXPECT_EQ(scales.scaled_at(by({.tensor = &scales}, 7)), 0u) << "a new scaler at the same line";
  EXPECT_EQ(scales.scaled_at(by(kNumber)), std::nullopt);
  const LossChain of_micro_batch{{.factor = {.value = 0.25}, .site = {7, 1}}, {.factor = kOfScaler, .site = {7, 0}}};
  EXPECT_EQ(scales.scaled_at(of_micro_batch), 1u) << "divided after it was scaled";
  EXPECT_EQ(scales.scaled_at({}), std::nullopt);
}

TEST(LossScales, ACopyOfAScalersTensorIsOneToo) {
  const LossFactor copy{.tensor = &kNumber};  // a tensor whose value is not read yet, because it is on a device
  LossScales scales;
  scales.begin(by(copy, 7));
  EXPECT_EQ(scales.scaler_decided(&kTensor, 4.0, 4.0), Settled{}) << "it may be another scaler's";
  EXPECT_EQ(scales.scaled_at(by(copy, 7)), 0u);
  scales.begin(by({.tensor = &kTensor}, 8));
  scales.begin(by(copy, 9));
  scales.scaler_decided(&kTensor, 4.0, 4.0);
  EXPECT_EQ(scales.scaled_at(by(copy, 9)), std::nullopt) << "its own tensor was there";
}

TEST(LossScales, AScalerThatOnlyUnscaledIsKnownByItsValue) {
  LossScales scales;
  scales.begin(by(kOfScaler, 7));
  scales.begin(by({.tensor = &scales, .value = 0.5}, 8));
  scales.unscaled_by(65536.0);
  EXPECT_EQ(scales.scaled_at(by(kOfScaler, 7)), 0u);
  EXPECT_EQ(scales.scaled_at(by({.tensor = &scales, .value = 0.5}, 8)), std::nullopt);
}

TEST(LossScales, OneDivisionSettlesAllPassesOfALine) {
  LossScales scales;
  scales.begin(by({.value = 2048.0}, 7));
  scales.settle(LossScales::Which::All, kNoEngine);
  scales.begin(by(kNumber, 7));
  scales.begin(by({.value = 0.5}, 8));
  EXPECT_EQ(scales.scaled_at(by({.value = 2048.0}, 7)), std::nullopt);
  scales.gradients_multiplied_by(1.0 / 1024);
  EXPECT_EQ(scales.scaled_at(by({.value = 2048.0}, 7)), 0u) << "its own step was skipped, and nothing was divided";
  EXPECT_EQ(scales.scaled_at(by({.value = 0.5}, 8)), std::nullopt) << "a weight";
  EXPECT_EQ(scales.begin(by({.value = 512.0}, 7)).scale, 512.0) << "the program changed it";
}

TEST(LossScales, WithoutLinesANumberIsKnownByItsValue) {
  LossScales scales;
  scales.begin(by(kNumber));
  scales.gradients_multiplied_by(1.0 / 1024);
  EXPECT_EQ(scales.scaled_at(by(kNumber)), 0u);
  EXPECT_EQ(scales.scaled_at(by({.value = 2.0})), std::nullopt);
  scales.program_scales_by(2.0);
  EXPECT_EQ(scales.scaled_at(by({.value = 2.0})), 0u);
}

TEST(LossScales, AScalersTensorSaysWhatTheProgramSetItTo) {
  LossScales scales;
  scales.scaler_decided(&kTensor, 65536.0, 65536.0);
  EXPECT_EQ(scales.begin(by({.tensor = &kTensor, .value = 8.0})).scale, 8.0);
  EXPECT_EQ(scales.begin(by({.tensor = &kTensor})).scale, 65536.0) << "on a device it cannot be read";
}

}  // namespace loss_scales_test
}  // namespace ampprof::profiler

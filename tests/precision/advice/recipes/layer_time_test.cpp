// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/layer_time.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/precision/advice/recipes/layers.h"

namespace ampprof::advice {
namespace layer_time_test {

constexpr double kGigaflops = 2.0 * 1024 * 1024 * 4096 / 1e9;  // of one matmul
constexpr double kActivation = 1024.0 * 4096 / 1e6;            // 10^6 values; each byte of a value takes 1 µs
constexpr double kWeight = 1024.0 * 1024 / 1e6;

class LayerTimesTest : public testing::Test {
 protected:
  double matmul_us(std::size_t matmul, std::size_t format) const { return times_.matmul_us(layer_, matmul, format); }
  double copies_us(const Formats& formats) const { return times_.copies_us(layer_, formats); }

  RecipeLayer layer_ = layer("fc", {});
  gpu::PeakRates gpu_ = round_gpu();
  std::vector<recipes::Recipe> formats_{recipes::recipe_named("bf16"), recipes::recipe_named("mxfp8"),
                                        recipes::recipe_named("nvfp4"), recipes::recipe_named("fp8_current")};
  LayerTimes times_{gpu_, formats_};
};

TEST_F(LayerTimesTest, AMatmulTakesAsLongAsItsArithmeticOrItsMemory) {
  // In BF16, arithmetic takes 8.6 µs. x, W and y have 2 bytes per value, so memory takes 18.9 µs.
  EXPECT_DOUBLE_EQ(matmul_us(kFprop, 0), 2 * (2 * kActivation + kWeight));
  gpu_.gb_per_s = 10'000;
  EXPECT_DOUBLE_EQ(matmul_us(kFprop, 0), kGigaflops);
  EXPECT_DOUBLE_EQ(matmul_us(kFprop, 1), kGigaflops / 2);
  EXPECT_DOUBLE_EQ(matmul_us(kFprop, 2), kGigaflops / 4);
}

TEST_F(LayerTimesTest, OperandsAreReadWithTheirScales) {
  gpu_.half = gpu_.fp8 = gpu_.fp4 = 1e9;
  const double mxfp8 = 1 + 1.0 / 32;
  EXPECT_DOUBLE_EQ(matmul_us(kFprop, 1), mxfp8 * (kActivation + kWeight) + 2 * kActivation);
  EXPECT_DOUBLE_EQ(matmul_us(kWgrad, 1), mxfp8 * 2 * kActivation + 2 * kWeight);
  EXPECT_DOUBLE_EQ(matmul_us(kFprop, 2),
                   (0.5 + 1.0 / 16) * kActivation + (0.5 + 1.0 / 256) * kWeight + 2 * kActivation);
}

TEST_F(LayerTimesTest, PlainOperandsAreNotCopied) { EXPECT_EQ(copies_us({0, 0, 0}), 0.0); }

TEST_F(LayerTimesTest, BothCopiesOfATensorAreMadeInOnePassWhereTheyAreOfOneFormat) {
  const double mxfp8 = 1 + 1.0 / 32;
  EXPECT_DOUBLE_EQ(copies_us({1, 1, 1}), (2 + 2 * mxfp8) * (2 * kActivation + kWeight));
  EXPECT_DOUBLE_EQ(copies_us({1, 0, 0}), (2 + mxfp8) * (kActivation + kWeight));
  // x is copied twice: to MXFP8 for fprop, to NVFP4 for wgrad. NVFP4 reads x once more for the tensor's scale.
  const double nvfp4 = 0.5 + 1.0 / 16;
  EXPECT_DOUBLE_EQ(copies_us({1, 0, 2}), (2 + mxfp8) * (kActivation + kWeight) + (4 + nvfp4) * 2 * kActivation);
}

TEST_F(LayerTimesTest, CopiesMayBeTheWorkOfOthers) {
  EXPECT_EQ(LayerTimes(gpu_, formats_, true).copies_us(layer_, {1, 1, 1}), 0.0);
}

TEST_F(LayerTimesTest, AScaleOfTheWholeTensorTakesAPassOfItsOwn) {
  EXPECT_DOUBLE_EQ(copies_us({3, 3, 3}), (4 + 2) * (2 * kActivation + kWeight));
}

TEST_F(LayerTimesTest, MatmulsThatThereAreNotTakeNothing) {
  const double all = times_.us(layer_, {1, 1, 1});
  layer_.has[kDgrad] = false;
  EXPECT_LT(times_.us(layer_, {1, 0, 1}), all);
  EXPECT_DOUBLE_EQ(times_.us(layer_, {1, 0, 1}), times_.us(layer_, {1, 2, 1}));
}

TEST_F(LayerTimesTest, CallsAndGroupsAreRepeated) {
  const double once = times_.us(layer_, {1, 1, 2});
  layer_.calls = 3;
  layer_.groups = 2;
  EXPECT_DOUBLE_EQ(times_.us(layer_, {1, 1, 2}), 6 * once);
}

TEST_F(LayerTimesTest, PreferMeasuredTimes) {
  const double mxfp8_of_bf16 = matmul_us(kFprop, 1) / matmul_us(kFprop, 0);
  layer_.measured_us[kFprop] = {{"bf16", 100.0}, {"nvfp4", 30.0}};
  layer_.calls = 2;
  EXPECT_DOUBLE_EQ(matmul_us(kFprop, 0), 200.0);
  EXPECT_DOUBLE_EQ(matmul_us(kFprop, 2), 60.0);
  EXPECT_DOUBLE_EQ(matmul_us(kFprop, 1), 200.0 * mxfp8_of_bf16);
}

TEST_F(LayerTimesTest, TakeForeverInATypeThatTheGpuHasNot) {
  gpu_.fp4 = 0;
  EXPECT_TRUE(std::isinf(matmul_us(kFprop, 2)));
}

}  // namespace layer_time_test
}  // namespace ampprof::advice

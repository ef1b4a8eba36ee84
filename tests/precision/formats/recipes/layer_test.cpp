// SPDX-License-Identifier: Apache-2.0
// Tests which layers a recipe converts, and the reasons why it leaves out others.
#include "precision/formats/recipes/layer.h"

#include <gtest/gtest.h>

#include <ostream>

namespace ampprof::recipes {
namespace layer_test {

struct Case {
  const char* name;
  const char* recipe;
  LayerSizes sizes;
  bool is_quantized;
  const char* reason;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class LayerDecision : public testing::TestWithParam<Case> {};

TEST_P(LayerDecision, SaysWhetherAndWhy) {
  const Decision decision = decide(recipe_named(GetParam().recipe), GetParam().sizes);
  EXPECT_EQ(decision.is_quantized, GetParam().is_quantized);
  EXPECT_EQ(decision.reason, GetParam().reason);
  EXPECT_TRUE(decision.has_hardware);
}

INSTANTIATE_TEST_SUITE_P(
    Layers, LayerDecision,
    testing::Values(
        Case{"bf16_takes_all", "bf16", {7, 5, 3}, true, "Quantized: the recipe takes layers of any size."},
        Case{"rows_of_mxfp8",
             "mxfp8",
             {1000, 512, 64},
             false,
             "Stays BF16: the weight's number of rows, 1000, is not a multiple of 32; 1024 is."},
        Case{"columns_of_blockwise",
             "fp8_blockwise",
             {256, 192, 128},
             false,
             "Stays BF16: the weight's number of columns, 192, is not a multiple of 128; 256 is."},
        Case{"batch_of_nvfp4",
             "nvfp4",
             {64, 64, 24},
             false,
             "Stays BF16: the product of the input's leading dimensions, 24, is not a multiple of 16; 32 is."},
        Case{
            "whole_mxfp8",
            "mxfp8",
            {64, 96, 32},
            true,
            "Quantized: the weight's number of rows, 64, is a multiple of 32, the weight's number of columns, 96, is a "
            "multiple of 32, the product of the input's leading dimensions, 32, is a multiple of 32."},
        Case{
            "eight_rows_of_input_do_for_fp8",
            "fp8_current",
            {16, 32, 8},
            true,
            "Quantized: the weight's number of rows, 16, is a multiple of 16, the weight's number of columns, 32, is a "
            "multiple of 16, the product of the input's leading dimensions, 8, is a multiple of 8."},
        Case{"eight_rows_of_weight_do_not",
             "fp8_current",
             {8, 32, 8},
             false,
             "Stays BF16: the weight's number of rows, 8, is not a multiple of 16; 16 is."}),
    [](const auto& info) { return info.param.name; });

TEST(Convolution, HasNoHardwareInBlockFormats) {
  const LayerSizes sizes{.rows = 32, .columns = 288, .leading = 64, .is_convolution = true};
  const Decision decision = decide(recipe_named("mxfp8"), sizes);
  EXPECT_TRUE(decision.is_quantized);
  EXPECT_FALSE(decision.has_hardware);
  EXPECT_TRUE(decision.reason.ends_with("; no current hardware supports such convolutions.")) << decision.reason;
  EXPECT_TRUE(decide(recipe_named("fp16"), sizes).has_hardware);
}

}  // namespace layer_test
}  // namespace ampprof::recipes

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/precision/rules/ask.h"

namespace ampprof::rules {

Rule gemm_sizes();

namespace gemm_sizes_test {

using namespace testing_rules;

class GemmSizes : public testing::TestWithParam<Case> {};

TEST_P(GemmSizes, NamesIJAndK) {
  const auto finding = answer_of(gemm_sizes(), GetParam());
  EXPECT_EQ(text_of(finding), GetParam().expected);
  if (finding) {
    EXPECT_FALSE(finding->reason.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, GemmSizes,
    testing::Values(
        Case{"aligned", "mm", "f16[64,32] f16[32,8]", kToday, ""},
        Case{"all_three", "mm", "f16[63,33] f16[33,9]", kToday, "inefficient M 63->64 N 9->16 K 33->40"},
        Case{"all_three_then", "mm", "f16[63,33] f16[33,9]", kThen, "inefficient M 63->64 N 9->16 K 33->40"},
        Case{"a100_wants_128_bytes", "mm", "f16[64,64] f16[64,8]", kToday, "inefficient N 8->64", DType::Half, "A100"},
        Case{"eight_was_enough_for_any_gpu", "mm", "f16[64,64] f16[64,8]", kThen, "", DType::Half, "A100"},
        Case{"fp8_wants_16", "_scaled_mm", "f8e4m3[32,24] f8e4m3[24,16]", kToday, "inefficient K 24->32",
             DType::Float8E4M3},
        Case{"convolutions_are_not_its_business", "conv2d", "f16[8,3,9,9] f16[5,3,3,3]", kToday, ""}),
    [](const auto& info) { return info.param.name; });

}  // namespace gemm_sizes_test
}  // namespace ampprof::rules

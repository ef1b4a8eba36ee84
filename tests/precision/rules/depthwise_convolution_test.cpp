// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/precision/rules/ask.h"

namespace ampprof::rules {

Rule depthwise_convolution();

namespace depthwise_convolution_test {

using namespace testing_rules;

class DepthwiseConvolution : public testing::TestWithParam<Case> {};

TEST_P(DepthwiseConvolution, IsNotEligible) {
  const auto finding = answer_of(depthwise_convolution(), GetParam());
  EXPECT_EQ(text_of(finding), GetParam().expected);
  if (finding) {
    EXPECT_FALSE(finding->reason.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, DepthwiseConvolution,
    testing::Values(Case{"depthwise", "conv2d", "f16[8,32,9,9] f16[32,1,3,3] groups=32", kToday, "not eligible"},
                    Case{"with_a_multiplier", "conv2d", "f16[8,32,9,9] f16[64,1,3,3] groups=32", kToday,
                         "not eligible"},
                    Case{"then_too", "conv2d", "f16[8,32,9,9] f16[32,1,3,3] groups=32", kThen, "not eligible"},
                    Case{"grouped_is_not_depthwise", "conv2d", "f16[8,32,9,9] f16[32,2,3,3] groups=16", kToday, ""},
                    Case{"one_channel_is_not_depthwise", "conv2d", "f16[8,1,9,9] f16[32,1,3,3] groups=1", kToday, ""}),
    [](const auto& info) { return info.param.name; });

}  // namespace depthwise_convolution_test
}  // namespace ampprof::rules

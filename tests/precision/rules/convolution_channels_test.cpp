// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/precision/rules/ask.h"

namespace ampprof::rules {

Rule convolution_channels();

namespace convolution_channels_test {

using namespace testing_rules;

class ConvolutionChannels : public testing::TestWithParam<Case> {};

TEST_P(ConvolutionChannels, NamesThem) {
  const auto finding = answer_of(convolution_channels(), GetParam());
  EXPECT_EQ(text_of(finding), GetParam().expected);
  if (finding) {
    EXPECT_FALSE(finding->reason.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, ConvolutionChannels,
    testing::Values(Case{"aligned", "conv2d", "f16[7,64,9,9] f16[64,64,3,3]", kToday, ""},
                    Case{"first_layer", "conv2d", "f16[8,3,9,9] f16[64,3,3,3]", kToday, "inefficient C_in 3->8"},
                    Case{"last_layer", "conv2d", "f16[8,64,9,9] f16[10,64,1,1]", kToday, "inefficient C_out 10->16"},
                    Case{"of_one_group", "conv2d", "f16[8,32,9,9] f16[64,4,3,3] groups=8", kToday,
                         "inefficient C_in / groups 4->8"},
                    Case{"transposed", "conv_transpose2d", "f16[8,100,4,4] f16[100,3,4,4]", kToday,
                         "inefficient C_in 100->104 C_out 3->8"},
                    Case{"then", "conv2d", "f16[8,3,9,9] f16[64,3,3,3]", kThen, "inefficient C_in 3->8"},
                    Case{"matmuls_are_not_its_business", "mm", "f16[3,3] f16[3,3]", kToday, ""}),
    [](const auto& info) { return info.param.name; });

TEST(ConvolutionChannels, SayThatCudnnPadsThemNow) {
  const Case row{"", "conv2d", "f16[8,3,9,9] f16[64,3,3,3]", kThen, ""};
  EXPECT_NE(answer_of(convolution_channels(), row)->reason.find("Since version 7.3 cuDNN pads"), std::string::npos);
}

}  // namespace convolution_channels_test
}  // namespace ampprof::rules

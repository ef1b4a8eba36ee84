// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/precision/rules/ask.h"

namespace ampprof::rules {

Rule operand_layout();

namespace operand_layout_test {

using namespace testing_rules;

class OperandLayout : public testing::TestWithParam<Case> {};

TEST_P(OperandLayout, NamesAddressesAndLeadingDimensions) {
  const auto finding = answer_of(operand_layout(), GetParam());
  EXPECT_EQ(text_of(finding), GetParam().expected);
  if (finding) {
    EXPECT_FALSE(finding->reason.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, OperandLayout,
    testing::Values(
        Case{"dense", "mm", "f16[64,32] f16[32,9]", kToday, ""},
        Case{"transposed_is_as_good", "mm", "f16[64,32] f16[32,9]{1,32}", kToday, ""},
        Case{"slice", "mm", "f16[64,32]{33,1} f16[32,8]", kToday, "inefficient leading dimension of operand A 33->40"},
        Case{"slice_that_is_aligned", "mm", "f16[64,32]{40,1} f16[32,8]", kToday, ""},
        Case{"offset", "mm", "f16[64,32] f16[32,8]@2", kToday, "inefficient address alignment of operand B 2->16"},
        Case{"offset_input", "conv2d", "f16[8,8,9,9]@8 f16[8,8,3,3]", kToday,
             "inefficient address alignment of input 8->16"},
        Case{"what_amp_casts_is_copied", "mm", "f32[64,32]{33,1} f32[32,8]@4", kToday, ""},
        Case{"the_rule_of_2018_looks_at_sizes_alone", "mm", "f16[64,32]{33,1} f16[32,8]@2", kThen, ""}),
    [](const auto& info) { return info.param.name; });

}  // namespace operand_layout_test
}  // namespace ampprof::rules

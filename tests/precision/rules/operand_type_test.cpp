// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/precision/rules/ask.h"

namespace ampprof::rules {

Rule operand_type();

namespace operand_type_test {

using namespace testing_rules;

class OperandType : public testing::TestWithParam<Case> {};

TEST_P(OperandType, IsOneThatTheGpuMultiplies) {
  const auto finding = answer_of(operand_type(), GetParam());
  EXPECT_EQ(text_of(finding), GetParam().expected);
  if (finding) {
    EXPECT_FALSE(finding->reason.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, OperandType,
    testing::Values(Case{"fp16", "mm", "f16[8,8] f16[8,8]", kToday, "", DType::Half, "V100"},
                    Case{"bf16_before_ampere", "mm", "bf16[8,8] bf16[8,8]", kToday, "not eligible", DType::BFloat16,
                         "V100"},
                    Case{"bf16_since_ampere", "mm", "bf16[8,8] bf16[8,8]", kToday, "", DType::BFloat16, "A100"},
                    Case{"fp32_without_tf32", "mm", "f32[8,8] f32[8,8]", kToday, "not eligible", DType::Float},
                    Case{"fp32_is_told_what_it_would_be_as_fp16", "mm", "f32[8,8] f32[8,8]", kThen, "", DType::Float},
                    Case{"fp16_then", "mm", "f16[8,8] f16[8,8]", kThen, "", DType::Half, "P100"},
                    Case{"bf16_then", "mm", "bf16[8,8] bf16[8,8]", kThen, "", DType::BFloat16, "P100"},
                    Case{"fp64_had_no_rule_then", "mm", "f64[8,8] f64[8,8]", kThen, "not eligible", DType::Double},
                    Case{"integers", "mm", "i32[8,8] i32[8,8]", kToday, "not eligible", DType::Int32},
                    Case{"no_tensor_cores", "mm", "f16[8,8] f16[8,8]", kToday, "not eligible", DType::Half, "P100"},
                    Case{"an_embedding_has_its_own_rule", "embedding", "f32[27,30] i64[8]", kToday, "", DType::Float}),
    [](const auto& info) { return info.param.name; });

}  // namespace operand_type_test
}  // namespace ampprof::rules

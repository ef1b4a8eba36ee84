// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/precision/rules/ask.h"

namespace ampprof::rules {

Rule recurrent_sizes();

namespace recurrent_sizes_test {

using namespace testing_rules;

class RecurrentSizes : public testing::TestWithParam<Case> {};

TEST_P(RecurrentSizes, NamesHiddenInputAndBatch) {
  const auto finding = answer_of(recurrent_sizes(), GetParam());
  EXPECT_EQ(text_of(finding), GetParam().expected);
  if (finding) {
    EXPECT_FALSE(finding->reason.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, RecurrentSizes,
    testing::Values(
        Case{"aligned", "lstm.input", "f16[2,16,32] f16[1,16,24] f16[1,16,24] f16[96,32] f16[96,24]", kToday, ""},
        Case{"all_three", "lstm.input", "f16[2,12,30] f16[1,12,20] f16[1,12,20] f16[80,30] f16[80,20]", kToday,
             "inefficient hidden 20->24 input 30->32 batch 12->16"},
        Case{"then", "gru.input", "f16[2,12,32] f16[1,12,24] f16[72,32] f16[72,24]", kThen, "inefficient batch 12->16"},
        Case{"four_gates_do_not_make_up_for_it", "lstm_cell", "f16[8,8] f16[8,18] f16[8,18] f16[72,8] f16[72,18]",
             kToday, "inefficient hidden 18->24"},
        Case{"a100_wants_128_bytes", "rnn_tanh.input", "f16[2,64,64] f16[1,64,32] f16[32,64] f16[32,32]", kToday,
             "inefficient hidden 32->64", DType::Half, "A100"},
        Case{"matmuls_are_not_its_business", "mm", "f16[3,3] f16[3,3]", kToday, ""}),
    [](const auto& info) { return info.param.name; });

}  // namespace recurrent_sizes_test
}  // namespace ampprof::rules

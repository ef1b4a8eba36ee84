// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/precision/rules/ask.h"

namespace ampprof::rules {

Rule embedding_width();

namespace embedding_width_test {

using namespace testing_rules;

class EmbeddingWidth : public testing::TestWithParam<Case> {};

TEST_P(EmbeddingWidth, IsASizeOfTheNextMatmul) {
  const auto finding = answer_of(embedding_width(), GetParam());
  EXPECT_EQ(text_of(finding), GetParam().expected);
  if (finding) {
    EXPECT_FALSE(finding->reason.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, EmbeddingWidth,
                         testing::Values(Case{"today_it_is_no_matmul", "embedding", "f32[27,30] i64[8]", kToday,
                                              "not eligible"},
                                         Case{"then_the_width_counted", "embedding", "f32[27,30] i64[8]", kThen,
                                              "inefficient embedding 30->32"},
                                         Case{"aligned", "embedding", "f32[27,32] i64[8]", kThen, ""},
                                         Case{"matmuls_are_not_its_business", "mm", "f16[3,3] f16[3,3]", kToday, ""}),
                         [](const auto& info) { return info.param.name; });

}  // namespace embedding_width_test
}  // namespace ampprof::rules

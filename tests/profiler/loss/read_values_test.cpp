// SPDX-License-Identifier: Apache-2.0
#include "profiler/loss/read_values.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace read_values_test {

const LossChain kTwo{{.site = {1}}, {.site = {2}}};  // the root is (loss * a) * b; line 2 multiplies by a, line 1 by b

TEST(ReadValues, KnowNothingBeforeTheProgramReads) {
  const ReadValues read;
  EXPECT_EQ(read.first_in(kTwo), std::nullopt);
  EXPECT_EQ(read.first_in({}), std::nullopt);
}

TEST(ReadValues, AnOperandThatIsReadIsTheLoss) {
  ReadValues read;
  read.operand_read({2});
  EXPECT_EQ(read.first_in(kTwo), 2u);
  EXPECT_EQ(read.first_in({{.site = {3}}}), std::nullopt) << "another line";
}

TEST(ReadValues, TheOneNearestToTheRootCounts) {
  ReadValues read;
  read.operand_read({2});
  read.product_read({2});
  EXPECT_EQ(read.first_in(kTwo), 1u) << "the product of line 2 is the operand of line 1";
  read.operand_read({1});
  EXPECT_EQ(read.first_in(kTwo), 1u);
  read.product_read({1});
  EXPECT_EQ(read.first_in(kTwo), 0u) << "the root";
}

}  // namespace read_values_test
}  // namespace ampprof::profiler

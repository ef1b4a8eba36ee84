// SPDX-License-Identifier: Apache-2.0
#include "profiler/loss/loss_ids.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace loss_ids_test {

TEST(LossIds, CountLinesAndRootsInTheOrderInWhichTheyCome) {
  LossIds ids;
  EXPECT_EQ(ids.id_of(12, 0), 0);
  EXPECT_EQ(ids.id_of(9, 0), 1);
  EXPECT_EQ(ids.id_of(12, 1), 2);
  EXPECT_EQ(ids.id_of(12, 0), 0) << "a micro-batch of the same loop";
  EXPECT_EQ(ids.id_of(9, 0), 1);
}

}  // namespace loss_ids_test
}  // namespace ampprof::profiler

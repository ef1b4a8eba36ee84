// SPDX-License-Identifier: Apache-2.0
#include "reports/text/unit_of_key.h"

#include <gtest/gtest.h>

namespace ampprof::text {
namespace unit_of_key_test {

TEST(UnitOfKey, IsThatOfThePartThatNamesOne) {
  EXPECT_EQ(unit_of_key("cpu_us_per_call"), "µs");
  EXPECT_EQ(unit_of_key("ms_per_step"), "ms");
  EXPECT_EQ(unit_of_key("probe.as_is_spread_ms"), "ms");
  EXPECT_EQ(unit_of_key("bytes"), "bytes");
  EXPECT_EQ(unit_of_key("share_of_error"), "share");
  EXPECT_EQ(unit_of_key("sm_mhz_before"), "MHz");
}

TEST(UnitOfKey, IsNothingWhereNoPartNamesOne) {
  for (const char* key : {"", "_", "calls", "buses", "bias", "tensor_core.waves"})
    EXPECT_EQ(unit_of_key(key), "") << key;
}

}  // namespace unit_of_key_test
}  // namespace ampprof::text

// SPDX-License-Identifier: Apache-2.0
#include "views/losses/impact_parts.h"

#include <gtest/gtest.h>

namespace ampprof::views {
namespace impact_parts_test {

TEST(RoundedParts, AreSharesOfTheSquare) {
  const auto parts = rounded_parts({.activation = 1.0, .weight = 3.0});
  EXPECT_EQ(parts, (std::vector<RoundedPart>{{"activation", 0.25}, {"weight", 0.75}, {"output", 0.0}}));
  EXPECT_EQ(text_of(parts[0]), "activation 25%");
  EXPECT_EQ(largest_part(parts), "weight 75%");
}

TEST(RoundedParts, AreNoneWhereNothingIsKnown) {
  EXPECT_TRUE(rounded_parts({}).empty());
  EXPECT_TRUE(rounded_parts({.output = 0.0}).empty());
  EXPECT_EQ(largest_part({}), "-");
}

}  // namespace impact_parts_test
}  // namespace ampprof::views

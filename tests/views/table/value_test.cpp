// SPDX-License-Identifier: Apache-2.0
#include "views/table/value.h"

#include <gtest/gtest.h>

#include <limits>

namespace ampprof::views {
namespace value_test {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Checks that each value sorts before all later values, and neither before itself nor before earlier values.
void expect_order(const std::vector<Value>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t k = 0; k < values.size(); ++k)
      EXPECT_EQ(comes_before(values[i], values[k]), i < k) << i << ' ' << k;
  }
}

TEST(SortedValues, DescendAsNumbersAndAscendAsText) {
  expect_order({kInf, std::int64_t{7}, 2.5, true, 0.5, false, -3.0, Value()});
  expect_order({std::string("a"), std::string("b"), std::string("bc"), Value()});
}

TEST(SortedValues, PutNanBesideInfinity) {
  expect_order({kNan, 1e308});
  EXPECT_FALSE(comes_before(kNan, kInf));
  EXPECT_FALSE(comes_before(kInf, kNan));
}

TEST(SortedValues, PutLongerListsFirstAndWhatHasNoSizeBehindNumbers) {
  expect_order({Json{1, 2, 3}, 2.0, Json{9}, Json::array(), -1e300, Json{{"a", 1}}, Value()});
  expect_order({-1e300, std::string("text"), Value()});
  EXPECT_FALSE(comes_before(Value(), Value()));
}

TEST(JsonOfValues, HasNullForWhatIsAbsentAndWordsForWhatIsNotFinite) {
  EXPECT_EQ(to_json(Value()).dump(), "null");
  EXPECT_EQ(to_json(Value(2.5)).dump(), "2.5");
  EXPECT_EQ(to_json(Value(std::int64_t{3})).dump(), "3");
  EXPECT_EQ(to_json(Value(true)).dump(), "true");
  EXPECT_EQ(to_json(Value(kNan)).dump(), "\"nan\"");
  EXPECT_EQ(to_json(Value(-kInf)).dump(), "\"-inf\"");
  EXPECT_EQ(text_or_null("").dump(), "null");
  EXPECT_EQ(text_or_null("a").dump(), "\"a\"");
  EXPECT_EQ(to_json(known(DType::Unknown)).dump(), "null");
  EXPECT_EQ(to_json(known(DType::Half)).dump(), "\"f16\"");
}

}  // namespace value_test
}  // namespace ampprof::views

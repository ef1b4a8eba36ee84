// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/first_difference.h"

#include <gtest/gtest.h>

namespace ampprof::compare {
namespace first_difference_test {

/// Returns a call with `value` in one sum of its sketch. Calls with different values have different checksums.
queries::SketchRow call(const std::string& op, double value, std::int64_t inputs = 1, std::int64_t step = 1) {
  queries::SketchRow row;
  row.step = step;
  row.op = op;
  row.call_site = op;
  row.sketch.elements = 8;
  row.sketch.inputs = inputs;
  row.sketch.sums[3] = value;
  row.sketch.sum_sq = value * value;
  row.sketch.checksum = static_cast<std::int64_t>(value * 1e6);
  return row;
}

FirstDifference between(const std::vector<Sketches>& a, const std::vector<Sketches>& b,
                        Strictness strictness = Strictness::BeyondNoise) {
  return first_difference(a, b, strictness);
}

TEST(FirstDifferenceOfTwoRuns, IsTheFirstInProgramOrder) {
  const std::vector<Sketches> a{{call("conv", 4), call("relu", 2), call("mm", 8)}};
  const std::vector<Sketches> b{{call("conv", 4), call("relu", 2.5), call("mm", 9, 2)}};
  const FirstDifference found = between(a, b);
  ASSERT_EQ(found.first, 0u);
  ASSERT_EQ(found.differing.size(), 2u);
  EXPECT_EQ(found.differing[0].a->op, "relu");
  EXPECT_TRUE(found.differing[0].inputs_same);
  EXPECT_DOUBLE_EQ(*found.differing[0].distance, 0.5);
  EXPECT_DOUBLE_EQ(*found.differing[0].relative, 0.2);
  EXPECT_FALSE(found.differing[1].inputs_same);
  EXPECT_EQ(found.compared, 3u);
}

TEST(FirstDifferenceOfTwoRuns, IsNoneOfEqualOnes) {
  const std::vector<Sketches> a{{call("conv", 4), call("relu", 2)}};
  const FirstDifference found = between(a, a);
  EXPECT_EQ(found.first, std::nullopt);
  EXPECT_TRUE(found.differing.empty());
  EXPECT_EQ(found.compared, 2u);
  EXPECT_EQ(between({}, a).compared, 0u);
}

TEST(FirstDifferenceOfTwoRuns, MatchesCallsOfOneKeyInTheirOrder) {
  const std::vector<Sketches> a{{call("mul", 1), call("mul", 2), call("mul", 3)}};
  const std::vector<Sketches> b{{call("mul", 1), call("mul", 2.5)}};
  const FirstDifference found = between(a, b);
  EXPECT_EQ(found.compared, 2u);
  ASSERT_EQ(found.only_a.size(), 1u);
  EXPECT_EQ(found.only_a[0]->sketch.sums[3], 3);
  EXPECT_TRUE(found.only_b.empty());
  ASSERT_EQ(found.differing.size(), 1u);
  EXPECT_EQ(found.differing[0].b->sketch.sums[3], 2.5);
}

TEST(FirstDifferenceOfTwoRuns, CountsWhatOneSideHasAlone) {
  const std::vector<Sketches> a{{call("a", 1)}};
  const std::vector<Sketches> b{{call("b", 1), call("a", 1, 1, 2)}};
  const FirstDifference found = between(a, b);
  EXPECT_EQ(found.compared, 0u);
  EXPECT_EQ(found.only_a, (std::vector{&a[0][0]}));
  EXPECT_EQ(found.only_b, (std::vector{&b[0][0], &b[0][1]})) << "another op, and another step";
}

TEST(FirstDifferenceOfTwoRuns, CountsWhatOneSideHasAloneBeforeTheFirst) {
  const std::vector<Sketches> a{{call("ge", 1), call("conv", 4), call("mm", 8), call("le", 1)}};
  EXPECT_EQ(between(a, {{call("gt", 1), call("lt", 1), call("conv", 4), call("mm", 9)}}).only_before, 3u);
  EXPECT_EQ(between(a, {{call("conv", 5), call("mm", 9), call("gt", 1)}}).only_before, 1u);
  EXPECT_EQ(between(a, {{call("gt", 1), call("conv", 4), call("mm", 8)}}).only_before, 0u) << "none differs";
}

TEST(FirstDifferenceOfRepeats, IsBeyondTheirNoise) {
  const std::vector<Sketches> a{{call("sum", 10), call("mm", 5)}, {call("sum", 11), call("mm", 5)}};
  const std::vector<Sketches> b{{call("sum", 10.5), call("mm", 6)}};
  const FirstDifference found = between(a, b);
  ASSERT_EQ(found.differing.size(), 2u);
  EXPECT_FALSE(found.differing[0].beyond_noise) << "repeats of A differ by more";
  EXPECT_EQ(found.first, 1u);
  EXPECT_EQ(between(a, b, Strictness::AnyBit).first, 0u);
}

TEST(FirstDifferenceOfRepeats, HaveNoNoiseAtACallThatOneOfThemLacks) {
  const std::vector<Sketches> a{{call("conv", 4), call("mm", 8)}, {call("conv", 4)}};
  const FirstDifference found = between(a, {{call("conv", 4), call("mm", 9)}});
  ASSERT_EQ(found.first, 0u);
  EXPECT_EQ(found.differing[0].a->op, "mm");
  EXPECT_EQ(found.differing[0].noise, 0.0);
}

TEST(FirstDifferenceOfRepeats, MayExceedTheNoise) {
  const std::vector<Sketches> a{{call("sum", 10)}, {call("sum", 10.1)}};
  EXPECT_EQ(between(a, {{call("sum", 10.1)}}).first, std::nullopt);
  EXPECT_EQ(between(a, {{call("sum", 10.3)}}).first, 0u);
}

TEST(FirstDifferenceOfRepeats, IsAnInfThatNoneOfThemHas) {
  queries::SketchRow overflowed = call("sum", 10.05);
  overflowed.sketch.nonfinite = 1;
  const std::vector<Sketches> a{{call("sum", 10)}, {call("sum", 10.1)}};
  EXPECT_EQ(between(a, {{overflowed}}).first, 0u);
  EXPECT_EQ(between({{call("sum", 10)}, {overflowed}}, {{call("sum", 12)}}).first, std::nullopt)
      << "repeats overflow, too: nothing can be told";
}

TEST(FirstDifferenceOfSizes, HasNoDistance) {
  queries::SketchRow longer = call("cat", 1);
  longer.sketch.elements = 9;
  const FirstDifference found = between({{call("cat", 1)}}, {{longer}});
  ASSERT_EQ(found.first, 0u);
  EXPECT_EQ(found.differing[0].distance, std::nullopt);
  EXPECT_EQ(found.differing[0].relative, std::nullopt);
}

TEST(FirstDifferenceOfBits, CountsWithoutRepeats) {
  queries::SketchRow negative_zero = call("relu", 0);
  negative_zero.sketch.checksum = 77;
  const FirstDifference found = between({{call("relu", 0)}}, {{negative_zero}});
  ASSERT_EQ(found.first, 0u);
  EXPECT_EQ(found.differing[0].distance, 0.0);
  EXPECT_EQ(found.differing[0].relative, std::nullopt);
}

TEST(FirstDifferenceOfBits, CountsWhereTheSumsAreEqual) {
  queries::SketchRow other = call("relu", 4);
  other.sketch.checksum = 77;
  EXPECT_EQ(between({{call("relu", 4)}}, {{other}}).first, 0u);
}

TEST(FirstDifferenceOfRepeats, IsOneHalfMoreThanTheirNoise) {
  const std::vector<Sketches> a{{call("sum", 8)}, {call("sum", 6)}};
  EXPECT_EQ(between(a, {{call("sum", 5)}}).first, std::nullopt) << "as much";
  EXPECT_EQ(between(a, {{call("sum", 4.5)}}).first, 0u);
}

TEST(FirstDifferenceOfRepeats, IsBeyondTheNoiseOfAllOfThem) {
  const std::vector<Sketches> a{{call("sum", 8)}, {call("sum", 8)}, {call("sum", 6)}, {call("sum", 8)}};
  EXPECT_EQ(between(a, {{call("sum", 7)}}).first, std::nullopt);
  EXPECT_EQ(between({{call("sum", 7)}}, {a[0], a[2]}).first, std::nullopt) << "repeats of B vary, too";
}

TEST(FirstDifferenceOfRepeats, IsNoneWhereTheirSizesDiffer) {
  queries::SketchRow longer = call("cat", 1);
  longer.sketch.elements = 9;
  EXPECT_EQ(between({{call("cat", 1)}, {longer}}, {{call("cat", 2)}}).first, std::nullopt);
}

}  // namespace first_difference_test
}  // namespace ampprof::compare

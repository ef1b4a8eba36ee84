// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/call_sites.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace ampprof::profiler {
namespace call_sites_test {

constexpr CallSites::Key kLinear{.phase = Phase::Forward, .module = 1, .op = 2};
constexpr CallSites::Key kReLU{.phase = Phase::Forward, .module = 1, .op = 3};

constexpr CallSites::Key at_line(std::int32_t line) {
  return {.phase = Phase::Forward, .module = 1, .op = 2, .line = line};
}

class Sites : public testing::Test {
 protected:
  std::int64_t next(const CallSites::Key& key, const CallSites::Origin& origin, std::int64_t segment = 1) {
    return sites_.next(key, origin, 0, segment);
  }
  CallSites sites_;
};

TEST_F(Sites, OfAModuleAreNumberedAgainInEachCall) {
  EXPECT_EQ(next(kLinear, {.call_group = 1}), 1);
  EXPECT_EQ(next(kReLU, {.call_group = 1}), 2);
  EXPECT_EQ(next(kLinear, {.call_group = 1}), 3);
  EXPECT_EQ(next(kLinear, {.call_group = 2}), 1) << "the module is called again";
  EXPECT_EQ(next(kLinear, {.call_group = 2}), 3);
}

TEST_F(Sites, DifferByLineAndByExpression) {
  const std::int64_t first = next(at_line(3), {.maker = 30, .call_group = 1});
  const std::int64_t second = next(at_line(3), {.maker = 31, .call_group = 2});
  const std::int64_t other_line = next(at_line(4), {.maker = 30, .call_group = 3});
  EXPECT_EQ(std::set({first, second, other_line}).size(), 3u);
  const std::vector<CallSites::Site> made = sites_.take_new();
  ASSERT_EQ(made.size(), 3u);
  EXPECT_EQ(made[0].ordinal, 0);
  EXPECT_EQ(made[1].ordinal, 1) << "the second expression of its line";
  EXPECT_EQ(made[2].ordinal, 0);
  EXPECT_EQ(next(at_line(3), {.maker = 30, .call_group = 4}), first) << "a loop comes back";
}

TEST_F(Sites, OfOneExpressionAreDistinguishedByTheirOrder) {
  const std::int64_t first = next(at_line(3), {.maker = 30, .call_group = 1});
  const std::int64_t second = next(at_line(3), {.maker = 30, .call_group = 1});
  EXPECT_NE(first, second) << "x[1:2, 3:4] makes two slices";
  EXPECT_EQ(next(at_line(3), {.maker = 30, .call_group = 2}), first);
  EXPECT_EQ(next(at_line(3), {.maker = 30, .call_group = 2}), second);
}

TEST_F(Sites, WithAndWithoutMakerAreOfOneRun) {
  const std::int64_t made = next(kLinear, {.maker = 30, .call_group = 1});
  const std::int64_t plain = next(kLinear, {.call_group = 1});
  EXPECT_NE(plain, made);
  EXPECT_EQ(next(kLinear, {.maker = 30, .call_group = 2}), made);
  EXPECT_EQ(next(kLinear, {.call_group = 2}), plain);
}

TEST_F(Sites, DifferByPhaseModuleAndOp) {
  next(kLinear, {.call_group = 1});
  for (const CallSites::Key& key : {CallSites::Key{Phase::Backward, 1, 2}, CallSites::Key{Phase::Forward, 2, 2},
                                    CallSites::Key{Phase::Forward, 1, 4}}) {
    next(key, {.call_group = 1});
  }
  EXPECT_EQ(sites_.take_new().size(), 4u);
}

TEST_F(Sites, AreCountedByTrainingLoopsSideBySide) {
  EXPECT_EQ(sites_.next(kLinear, {.call_group = 1}, 0, 1), 1);
  EXPECT_EQ(sites_.next(kLinear, {.call_group = 2}, 2, 5), 1) << "the first call of another training's module";
  EXPECT_EQ(sites_.next(kLinear, {.call_group = 1}, 0, 1), 2);
}

TEST_F(Sites, OfRepeatedCallsAreThoseOfTheForwardCallsInOrder) {
  const CallSites::Key again{.phase = Phase::Recompute, .module = 1, .op = 2};
  const std::int64_t first = next(at_line(3), {.maker = 30, .call_group = 1});
  const std::int64_t second = next(at_line(4), {.maker = 40, .call_group = 2});
  EXPECT_EQ(sites_.repeated(again, 0, 1), first);
  EXPECT_EQ(sites_.repeated(again, 0, 1), second);
  EXPECT_EQ(sites_.repeated(again, 0, 1), 0) << "the forward made two calls";
  EXPECT_EQ(sites_.repeated(again, 0, 2), 0) << "of another segment";
  EXPECT_EQ(sites_.forward_site(again, 0, 1), second);
  EXPECT_EQ(sites_.forward_site(again, 0, 2), 0) << "the forward made two calls";
}

TEST_F(Sites, AreNewOnce) {
  EXPECT_FALSE(sites_.has_new());
  EXPECT_EQ(sites_.at(kLinear), 1);
  EXPECT_TRUE(sites_.has_new());
  EXPECT_EQ(sites_.take_new(), (std::vector<CallSites::Site>{{1, kLinear, 0}}));
  EXPECT_FALSE(sites_.has_new());
  EXPECT_EQ(sites_.at(kLinear), 1);
  EXPECT_EQ(next(kLinear, {.call_group = 1}), 1);
  EXPECT_FALSE(sites_.has_new());
}

TEST_F(Sites, OfALoopWithoutEndStayAtTheLastOne) {
  for (int i = 1; i < CallSites::kMostSites; ++i) next(kLinear, {.call_group = 1});
  const std::int64_t last = next(kLinear, {.call_group = 1});
  EXPECT_EQ(sites_.take_new().back().ordinal, CallSites::kMostSites - 1);
  EXPECT_EQ(sites_.take_calls_without_site(), 0);
  EXPECT_EQ(next(kLinear, {.call_group = 1}), last);
  EXPECT_EQ(next(kLinear, {.call_group = 1}), last);
  EXPECT_EQ(sites_.take_calls_without_site(), 2);
  EXPECT_EQ(sites_.take_calls_without_site(), 0);
}

}  // namespace call_sites_test
}  // namespace ampprof::profiler

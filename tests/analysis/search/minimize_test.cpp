// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/minimize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace ampprof::search {
namespace minimize_test {

/// Returns a judge that passes a set if it contains all of `needed`. The judge counts calls in `*asked`.
Judge needs(Set needed, int* asked = nullptr) {
  return [needed = std::move(needed), asked](const Set& set) {
    if (asked != nullptr) ++*asked;
    return std::ranges::includes(set, needed) ? Verdict::Pass : Verdict::Fail;
  };
}

Set without(const Set& set, std::size_t member) {
  Set rest = set;
  std::erase(rest, member);
  return rest;
}

TEST(Minimize, IsEmptyHandedWhereNotEvenAllPass) {
  const Minimized found = minimize(4, 2, [](const Set&) { return Verdict::Fail; });
  EXPECT_FALSE(found.set);
  EXPECT_TRUE(found.open.empty());
}

TEST(Minimize, FindsThatNothingIsNeeded) {
  int asked = 0;
  EXPECT_EQ(minimize(100, 7, needs({}, &asked)).set, Set{});
  EXPECT_EQ(asked, 3) << "all, the advised, none";
  EXPECT_EQ(minimize(0, 0, needs({})).set, Set{});
}

TEST(Minimize, FindsWhatIsNeededInsideAndOutsideTheAdvice) {
  EXPECT_EQ(minimize(10, 3, needs({1})).set, Set{1});
  EXPECT_EQ(minimize(10, 3, needs({1, 8})).set, (Set{1, 8}));
  EXPECT_EQ(minimize(10, 0, needs({9})).set, Set{9});
  EXPECT_EQ(minimize(3, 9, needs({0, 1, 2})).set, (Set{0, 1, 2})) << "more advised than there are";
}

TEST(Minimize, AsksInTheOrderOfTheEvidence) {
  std::vector<Set> asked;
  minimize(4, 2, [&](const Set& set) {
    asked.push_back(set);
    return std::ranges::find(set, 1u) != set.end() ? Verdict::Pass : Verdict::Fail;
  });
  EXPECT_EQ(asked, (std::vector<Set>{{0, 1, 2, 3}, {0, 1}, {}, {0}, {1}}));
}

TEST(Minimize, AsksForEachSetOnceAndSeldomEnough) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::size_t n = 1 + random() % 200;
    Set needed;
    for (std::size_t j = random() % std::min<std::size_t>(n + 1, 6); j > 0; --j) needed.push_back(random() % n);
    std::ranges::sort(needed);
    needed.erase(std::ranges::unique(needed).begin(), needed.end());
    int asked = 0;
    const Minimized found = minimize(n, random() % (n + 1), needs(needed, &asked));
    ASSERT_EQ(found.set, needed);
    ASSERT_TRUE(found.open.empty());
    const double k = static_cast<double>(needed.size());
    const double bound = 2 + k * (2 + std::ceil(std::log2(static_cast<double>(n))));
    ASSERT_LE(asked, std::max(bound, 3.0)) << needed.size() << " of " << n;
  }
}

TEST(Minimize, FindsOneOfTwoCures) {
  const Judge either = [](const Set& set) {
    const bool cured = std::ranges::includes(set, Set{2, 5}) || std::ranges::includes(set, Set{7});
    return cured ? Verdict::Pass : Verdict::Fail;
  };
  EXPECT_EQ(minimize(10, 8, either).set, (Set{2, 5})) << "the first 6 pass";
  EXPECT_EQ(minimize(10, 1, either).set, (Set{2, 5}));
}

TEST(Minimize, IsOneMinimalUnderAnyTruth) {
  // Verdicts are random, so minimize() knows a verdict only after judging the set.
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    const std::size_t n = 1 + random() % 12;
    std::map<Set, Verdict> truth;
    const Judge judge = [&](const Set& set) {
      if (set.size() == n) return Verdict::Pass;
      return truth.try_emplace(set, random() % 3 == 0 ? Verdict::Pass : Verdict::Fail).first->second;
    };
    const Minimized found = minimize(n, random() % (n + 1), judge);
    ASSERT_TRUE(found.set);
    ASSERT_EQ(judge(*found.set), Verdict::Pass);
    for (const std::size_t member : *found.set) {
      ASSERT_TRUE(truth.contains(without(*found.set, member))) << "it was not tried without " << member;
      ASSERT_EQ(truth.at(without(*found.set, member)), Verdict::Fail);
    }
  }
}

TEST(Minimize, NamesWhatWasNotDecided) {
  const Judge judge = [](const Set& set) {
    if (set.size() == 4 || set == Set{0, 1}) return Verdict::Pass;
    return set == Set{1} ? Verdict::Fail : Verdict::Undecided;
  };
  const Minimized found = minimize(4, 2, judge);
  EXPECT_EQ(found.set, (Set{0, 1}));
  EXPECT_EQ(found.open, Set{1}) << "without 0 it fails, without 1 it is unknown";
}

TEST(Minimize, KeepsTheSmallestSetThatPassedWhereNothingElseWasRun) {
  const Minimized found =
      minimize(3, 1, [](const Set& set) { return set.size() == 3 ? Verdict::Pass : Verdict::Undecided; });
  EXPECT_EQ(found.set, (Set{0, 1, 2}));
  EXPECT_EQ(found.open, (Set{0, 1, 2}));
}

TEST(Minimize, TellsWhichPartAskedForASet) {
  const Minimized found = minimize(8, 2, needs({1, 5}));
  EXPECT_EQ(found.asked.at({0, 1, 2, 3, 4, 5, 6, 7}), Stage::Everything);
  EXPECT_EQ(found.asked.at({0, 1}), Stage::Advised);
  EXPECT_EQ(found.asked.at({0, 1, 2, 3, 4}), Stage::Halves);
  EXPECT_EQ(found.asked.at({5}), Stage::Halves) << "what is kept, by itself";
  EXPECT_EQ(found.asked.at({1}), Stage::OneByOne);
  EXPECT_EQ(minimize(4, 2, needs({0})).asked.at({}), Stage::Nothing);
  EXPECT_EQ(minimize(4, 0, needs({0})).asked.at({}), Stage::Nothing) << "nothing is advised";
}

}  // namespace minimize_test
}  // namespace ampprof::search

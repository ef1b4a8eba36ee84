// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/match.h"

#include <gtest/gtest.h>

#include "tests/reports/compare/sites.h"

namespace ampprof::compare {
namespace match_test {

std::size_t count(const std::vector<SitePair>& pairs, Match match) {
  return static_cast<std::size_t>(
      std::count_if(pairs.begin(), pairs.end(), [&](const SitePair& pair) { return pair.match == match; }));
}

TEST(SitesOf, PoolTheRepeatsOfACallSite) {
  std::vector<queries::OpRow> ops = blocks({"a", "b"});
  for (queries::OpRow row : blocks({"a", "c"})) {
    row.run = 2;
    ops.push_back(row);
  }
  const auto sites = sites_of(ops);
  ASSERT_EQ(sites.size(), 6u);
  EXPECT_EQ(sites[0].key.module, "a");
  EXPECT_EQ(sites[0].rows.size(), 2u);
  EXPECT_EQ(sites[2].rows.size(), 1u);
  EXPECT_EQ(sites[4].key.module, "c");
}

TEST(MatchSites, TakesEqualKeysOnly) {
  const std::vector<queries::OpRow> a{op_row("m", "add", "", 0), op_row("m", "add", "", 1), op_row("m", "mul")};
  const std::vector<queries::OpRow> b{op_row("m", "add", "", 1), op_row("m", "add", "", 0, Phase::Backward),
                                      op_row("n", "mul")};
  const auto sites_a = sites_of(a);
  const auto sites_b = sites_of(b);
  const auto pairs = match_sites(sites_a, sites_b, {});
  ASSERT_EQ(pairs.size(), 5u);
  EXPECT_EQ(count(pairs, Match::Exact), 1u);
  EXPECT_EQ(pairs[0].a->key.ordinal, 1);
  EXPECT_EQ(count(pairs, Match::OnlyA), 2u);
  EXPECT_EQ(count(pairs, Match::OnlyB), 2u);
}

queries::OpRow at_line(const std::string& source, std::int32_t ordinal = 0) {
  queries::OpRow row = op_row("m", "add", "", ordinal);
  row.source = source;
  return row;
}

TEST(MatchSites, TakesLinesWhereOneSideHasAllOfTheOther) {
  const std::vector<queries::OpRow> a{at_line("f.py:3"), at_line("f.py:7"), at_line("f.py:7", 1)};
  const std::vector<queries::OpRow> b{at_line("f.py:7", 1), at_line("f.py:3")};
  const auto sites_a = sites_of(a);
  const auto sites_b = sites_of(b);
  const auto pairs = match_sites(sites_a, sites_b, {});
  EXPECT_EQ(count(pairs, Match::Exact), 2u);
  for (const SitePair& pair : pairs) {
    if (pair.match != Match::Exact) continue;
    EXPECT_EQ(pair.a->key, pair.b->key);
  }
}

TEST(MatchSites, TakesTheOrderWhereTheCodeIsAnother) {
  const std::vector<queries::OpRow> a{at_line("f.py:3"), at_line("f.py:7")};
  const std::vector<queries::OpRow> b{at_line("f.py:7"), at_line("f.py:11"), at_line("f.py:12")};
  const auto sites_a = sites_of(a);
  const auto sites_b = sites_of(b);
  const auto pairs = match_sites(sites_a, sites_b, {});
  EXPECT_EQ(count(pairs, Match::Exact), 2u);
  EXPECT_EQ(pairs[0].b->key.source, "f.py:7");
  EXPECT_EQ(pairs[1].b->key.source, "f.py:11") << "line 7 was line 3 before";
  EXPECT_EQ(pairs[2].match, Match::OnlyB);
}

TEST(MatchSites, AppliesARenamingToWhatIsLeft) {
  const std::vector<queries::OpRow> a = blocks({"x", "y"});
  const std::vector<queries::OpRow> b = blocks({"y", "z"});
  const auto sites_a = sites_of(a);
  const auto sites_b = sites_of(b);
  const auto pairs = match_sites(sites_a, sites_b, [](const std::string&) { return "z"; });
  EXPECT_EQ(count(pairs, Match::Exact), 2u) << "y stays y";
  EXPECT_EQ(count(pairs, Match::Renamed), 2u);
  EXPECT_EQ(pairs[0].b->key.module, "z");
  EXPECT_EQ(pairs.size(), 4u) << "each call site once";
}

TEST(Match, HasNames) {
  EXPECT_EQ(name_of(Match::Exact), "exact");
  EXPECT_EQ(name_of(Match::Renamed), "renamed");
  EXPECT_EQ(name_of(Match::OnlyA), "only_a");
  EXPECT_EQ(name_of(Match::OnlyB), "only_b");
}

}  // namespace match_test
}  // namespace ampprof::compare

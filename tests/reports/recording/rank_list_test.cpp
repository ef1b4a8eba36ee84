// SPDX-License-Identifier: Apache-2.0
#include "reports/recording/rank_list.h"

#include <gtest/gtest.h>

#include <ostream>

namespace ampprof::recording {
namespace rank_list_test {

using Ranks = std::vector<std::int64_t>;

struct Asked {
  const char* text;
  Ranks ranks;  ///< the ranks below 20 that `text` selects
};

void PrintTo(const Asked& asked, std::ostream* out) { *out << asked.text; }

class RanksAskedFor : public testing::TestWithParam<Asked> {};

TEST_P(RanksAskedFor, AreThoseOfTheSlices) {
  const auto list = rank_list_from(GetParam().text);
  ASSERT_TRUE(list);
  Ranks ranks;
  for (std::int64_t rank = 0; rank < 20; ++rank) {
    if (contains(*list, rank)) ranks.push_back(rank);
  }
  EXPECT_EQ(ranks, GetParam().ranks);
}

INSTANTIATE_TEST_SUITE_P(Lists, RanksAskedFor,
                         testing::Values(Asked{"0", {0}}, Asked{"3,1", {1, 3}}, Asked{"0,1,8:16:4", {0, 1, 8, 12}},
                                         Asked{"8:10", {8, 9}}, Asked{":3", {0, 1, 2}}, Asked{"17:", {17, 18, 19}},
                                         Asked{"::6", {0, 6, 12, 18}}, Asked{"1:20:9", {1, 10, 19}}, Asked{"2:3:", {2}},
                                         Asked{"1,1:3", {1, 2}}));

TEST(RankList, OfAllHoldsEach) {
  const auto list = rank_list_from(kAllRanks);
  ASSERT_TRUE(list);
  for (const std::int64_t rank : {0, 1, 1'000'000}) EXPECT_TRUE(contains(*list, rank));
}

TEST(RankList, IsRefusedWhereAPartNamesNoRank) {
  for (const char* text : {"", ",", "0,", "a", "0-3", "-1", "1:2:3:4", "8:8", "8:4", "0:4:0", "1 ", "All", "1.5",
                           "99999999999999999999", "9223372036854775807"}) {
    EXPECT_FALSE(rank_list_from(text)) << text;
  }
}

TEST(FilesOfRanks, LieBesideTheReport) {
  EXPECT_EQ(file_of_rank("/a/r.ampprof", "3"), "/a/r-rank3.ampprof");
  EXPECT_EQ(file_of_rank("claim-1", "12"), "claim-1-rank12");
  EXPECT_EQ(file_of_rank("r.db", "0"), "r.db-rank0");
}

}  // namespace rank_list_test
}  // namespace ampprof::recording

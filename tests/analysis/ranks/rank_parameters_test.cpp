// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <ostream>

#include "analysis/ranks/ranks.h"
#include "tests/reports/sample_report.h"

namespace ampprof::analysis {
namespace rank_parameters_test {

using testing_reports::segment;
using testing_reports::start_of;
using testing_reports::TemporaryFolder;
using Numbers = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

/// Checksums on one rank, by parameter. A letter is the checksum in every second step; ' ' means that a step was not
/// checked.
using Parameters = std::map<std::string, std::string>;

Batch checks_of(const Parameters& parameters, std::int64_t first_step) {
  Batch batch;
  for (const auto& [name, values] : parameters) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto id = static_cast<std::int64_t>(2 * i) + 1;
      if (i == batch.segments.size()) batch.segments.push_back(segment(id, id - 1 + first_step, id, id + 1));
      if (values[i] != ' ') batch.checksums.push_back({.segment = id, .parameter = name, .checksum = values[i]});
    }
  }
  return batch;
}

/// Returns a launch with one rank for each of `ranks`. The ranks check parameters in every second step from
/// `first_step` on.
RankedLaunch launch_of(const std::vector<Parameters>& ranks, std::optional<std::int64_t> check_ranks = 2,
                       std::int64_t first_step = 1) {
  const TemporaryFolder folder;
  const auto path = folder / "r.ampprof";
  store::create_report(path, false);
  store::ReportWriter writer(path);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    RunStart start = start_of("O1");
    start.check_ranks = check_ranks;
    const std::int64_t run = writer.begin_run(start);
    RunAttach attach{"cpu", "2.11.0", "{}", "O1"};
    attach.rank = static_cast<std::int64_t>(rank);
    attach.world_size = static_cast<std::int64_t>(ranks.size());
    writer.attach(run, attach);
    writer.append(run, checks_of(ranks[rank], first_step));
    writer.detach(run, {});
    writer.end_run(run, 0);
  }
  const queries::Report report(path);
  auto launches = ranked_launches(report, queries::runs(report));
  EXPECT_EQ(launches.size(), 1u);
  return launches.empty() ? RankedLaunch{} : std::move(launches.front());
}

TEST(RankParameters, ThatAgreeDoNotDiverge) {
  const RankedLaunch launch = launch_of({{{"a", "xyz"}, {"b", "stu"}}, {{"a", "xyz"}, {"b", "stu"}}});
  EXPECT_TRUE(launch.parameters.was_asked);
  EXPECT_EQ(launch.parameters.steps, 3);
  EXPECT_EQ(launch.parameters.compared, 2);
  EXPECT_EQ(launch.parameters.not_replicated, Names{});
  EXPECT_FALSE(launch.parameters.divergence);
  EXPECT_FALSE(launch.ranks[0].divergence);
}

TEST(RankParameters, AreNotReadUnlessTheyWereAskedFor) {
  const RankedLaunch launch = launch_of({{{"a", "x"}}, {{"a", "y"}}}, std::nullopt);
  EXPECT_FALSE(launch.parameters.was_asked);
  EXPECT_EQ(launch.parameters.not_replicated, Names{});
}

struct Divergences {
  const char* name;
  std::vector<Parameters> ranks;
  std::int64_t step;
  const char* parameter;
  std::int64_t parameters;
  bool has_majority;
  Numbers alone;
  std::optional<std::int64_t> agreed_in;
};

void PrintTo(const Divergences& divergences, std::ostream* out) { *out << divergences.name; }

class RankParametersThatDiverge : public testing::TestWithParam<Divergences> {};

TEST_P(RankParametersThatDiverge, AreFoundWithTheFirstStep) {
  const Divergences& expected = GetParam();
  const RankedLaunch launch = launch_of(expected.ranks);
  ASSERT_TRUE(launch.parameters.divergence);
  const ParameterDivergence& found = *launch.parameters.divergence;
  EXPECT_EQ(found.step, expected.step);
  EXPECT_EQ(found.parameter, expected.parameter);
  EXPECT_EQ(found.parameters, expected.parameters);
  EXPECT_EQ(found.has_majority, expected.has_majority);
  EXPECT_EQ(found.alone, expected.alone);
  EXPECT_EQ(found.agreed_in, expected.agreed_in);
  EXPECT_EQ(launch.parameters.not_replicated, Names{});
  Numbers diverged;
  for (const Rank& rank : launch.ranks) {
    if (!rank.divergence) continue;
    diverged.push_back(*rank.run.rank);
    EXPECT_EQ(rank.divergence->what, Replicated::Parameter);
    EXPECT_EQ(rank.divergence->step, expected.step);
    EXPECT_EQ(rank.divergence->parameter, expected.parameter);
    EXPECT_TRUE(stands_out(rank));
  }
  EXPECT_EQ(diverged, expected.alone);
}

const std::vector<Divergences>& divergences() {
  static const std::vector<Divergences> kCases{
      {"one_of_three", {{{"a", "xyz"}}, {{"a", "xyz"}}, {{"a", "xqr"}}}, 3, "a", 1, true, {2}, 1},
      {"the_lowest", {{{"a", "xq"}}, {{"a", "xy"}}, {{"a", "xy"}}}, 3, "a", 1, true, {0}, 1},
      {"two_of_two", {{{"a", "xyz"}}, {{"a", "xyq"}}}, 5, "a", 1, false, {1}, 3},
      {"even_halves", {{{"a", "xy"}}, {{"a", "xq"}}, {{"a", "xq"}}, {{"a", "xy"}}}, 3, "a", 1, false, {1, 2}, 1},
      {"all_apart", {{{"a", "xy"}}, {{"a", "xq"}}, {{"a", "xr"}}}, 3, "a", 1, false, {1, 2}, 1},
      {"in_the_first_check", {{{"a", "xy"}}, {{"a", "xy"}}, {{"a", "qy"}}}, 1, "a", 1, true, {2}, std::nullopt},
      {"of_several_the_first_by_name",
       {{{"a", "xx"}, {"b", "xx"}, {"c", "xx"}}, {{"a", "xx"}, {"b", "xy"}, {"c", "xy"}}},
       3,
       "b",
       2,
       false,
       {1},
       1},
      {"that_come_back", {{{"a", "xyz"}}, {{"a", "xyz"}}, {{"a", "xqz"}}}, 3, "a", 1, true, {2}, 1},
      {"beside_a_rank_that_ended", {{{"a", "xyz"}}, {{"a", "x"}}, {{"a", "xyq"}}}, 5, "a", 1, false, {2}, 3},
      {"after_a_skipped_check", {{{"a", "x z"}}, {{"a", "x z"}}, {{"a", "x q"}}}, 5, "a", 1, true, {2}, 1}};
  return kCases;
}

INSTANTIATE_TEST_SUITE_P(RankParameters, RankParametersThatDiverge, testing::ValuesIn(divergences()),
                         [](const auto& info) { return info.param.name; });

TEST(RankParameters, ThatDifferFromTheFirstCheckOnAreTakenForSharded) {
  const Parameters first{{"shard", "ab"}, {"whole", "xy"}};
  const Parameters second{{"shard", "cd"}, {"whole", "xy"}};
  const RankedLaunch launch = launch_of({first, second});
  EXPECT_EQ(launch.parameters.not_replicated, Names{"shard"});
  EXPECT_EQ(launch.parameters.compared, 1);
  EXPECT_FALSE(launch.parameters.divergence);
  EXPECT_FALSE(launch.ranks[1].divergence);
  // Two groups of two ranks, as with tensor parallelism within data parallelism.
  EXPECT_EQ(launch_of({first, second, first, second}).parameters.not_replicated, Names{"shard"});
}

TEST(RankParameters, ThatBeganEqualDrift) {
  const RankedLaunch launch = launch_of({{{"a", "xy"}}, {{"a", "xq"}}}, 1, 0);
  EXPECT_EQ(launch.parameters.not_replicated, Names{});
  ASSERT_TRUE(launch.parameters.divergence);
  EXPECT_EQ(launch.parameters.divergence->step, 2);
  EXPECT_EQ(launch.parameters.divergence->agreed_in, 0);
  EXPECT_EQ(launch.parameters.steps, 1) << "the check before the first update is not a step";
}

TEST(RankParameters, ThatBeganAsAConstantAreShardedWhereOthersAre) {
  const Parameters first{{"bias", "0b"}, {"shard", "ab"}, {"whole", "xy"}};
  const Parameters second{{"bias", "0d"}, {"shard", "cd"}, {"whole", "xy"}};
  const RankedLaunch launch = launch_of({first, second}, 1, 0);
  EXPECT_EQ(launch.parameters.not_replicated, (Names{"bias", "shard"}));
  EXPECT_FALSE(launch.parameters.divergence);
  EXPECT_EQ(launch.parameters.compared, 1);
}

TEST(RankParameters, OfOneRankAloneAreNotCompared) {
  const RankedLaunch launch = launch_of({{{"a", "xy"}}, {{"b", "xy"}}});
  EXPECT_TRUE(launch.parameters.was_asked);
  EXPECT_EQ(launch.parameters.compared, 0);
  EXPECT_EQ(launch.parameters.steps, 0);
  EXPECT_EQ(launch.parameters.not_replicated, Names{}) << "a pipeline's ranks have other parameters";
}

}  // namespace rank_parameters_test
}  // namespace ampprof::analysis

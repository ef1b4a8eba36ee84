// SPDX-License-Identifier: Apache-2.0
#include "analysis/ranks/representatives.h"

#include <gtest/gtest.h>

#include "analysis/ranks/ranks.h"
#include "tests/reports/sample_report.h"

namespace ampprof::analysis {
namespace representatives_test {

using testing_reports::start_of;
using testing_reports::TemporaryFolder;
using testing_reports::two_steps;
using Numbers = std::vector<std::int64_t>;

queries::RunRow rank_of_run(std::int64_t run, std::optional<std::int64_t> rank) {
  queries::RunRow row;
  row.run = run;
  row.level = "O1";
  row.rank = rank;
  row.world_size = rank ? std::optional<std::int64_t>(64) : std::nullopt;
  row.complete = true;
  return row;
}

Numbers ids_of(const std::vector<queries::RunRow>& runs) {
  Numbers ids;
  for (const queries::RunRow& run : runs) ids.push_back(run.run);
  return ids;
}

RankedLaunch launch_of(const std::vector<queries::RunRow>& ranks) {
  RankedLaunch launch;
  for (const queries::RunRow& run : ranks) launch.ranks.push_back({.run = run, .record = {}});
  return launch;
}

TEST(Representatives, AreTheLowestRankAndThoseThatStandOutInTheOrderOfTheReport) {
  const std::vector<queries::RunRow> runs{rank_of_run(1, 2), rank_of_run(2, {}), rank_of_run(3, 0), rank_of_run(4, 1)};
  RankedLaunch launch = launch_of({runs[2], runs[3], runs[0]});
  EXPECT_EQ(ids_of(represent(runs, {launch}).runs), (Numbers{2, 3})) << "run 2 is not a rank";
  launch.ranks[2].pace = Pace::Slower;
  const Representatives two = represent(runs, {launch});
  EXPECT_EQ(ids_of(two.runs), (Numbers{1, 2, 3}));
  ASSERT_EQ(two.launches.size(), 1u);
  EXPECT_EQ(ids_of(two.launches[0].ranks), (Numbers{3, 4, 1}));
  EXPECT_EQ(two.launches[0].standing_out, Numbers{2});
}

TEST(Representatives, AreAHandful) {
  std::vector<queries::RunRow> runs;
  for (std::int64_t rank = 0; rank < 64; ++rank) {
    runs.push_back(rank_of_run(rank + 1, rank));
    runs.back().complete = false;
  }
  const Representatives all = represent(runs, {launch_of(runs)});
  EXPECT_EQ(ids_of(all.runs), (Numbers{1, 2, 3, 4, 5}));
  EXPECT_EQ(all.launches.at(0).standing_out.size(), 64u);
}

/// Writes ranks with the same two steps. Only the loss scale of rank 7 differs.
void write_ranks(const std::filesystem::path& path, std::size_t count) {
  store::create_report(path, true);
  store::ReportWriter writer(path);
  for (std::size_t rank = 0; rank < count; ++rank) {
    const std::int64_t run = writer.begin_run(start_of("O1"));
    RunAttach attach{"cpu", "2.11.0", "{}", "O1"};
    attach.rank = static_cast<std::int64_t>(rank);
    attach.world_size = static_cast<std::int64_t>(count);
    writer.attach(run, attach);
    Batch batch = two_steps();
    batch.events.clear();
    if (rank == 7) batch.scale_updates.back().scale_after = 2;
    writer.append(run, batch);
    writer.detach(run, {.peak_bytes = 1, .wall_ns = 2, .overhead_ns = 1});
    writer.end_run(run, 0);
  }
  writer.fold();
}

TEST(Representatives, AreChosenWhereThereAreManyRanks) {
  const TemporaryFolder folder;
  const auto shown_of = [&](std::size_t ranks) {
    write_ranks(folder / "r", ranks);
    const queries::Report report(folder / "r");
    return representatives_of(report, queries::runs(report));
  };
  EXPECT_FALSE(shown_of(kMostRanksListed).has_value());
  const auto shown = shown_of(kMostRanksListed + 1);
  ASSERT_TRUE(shown.has_value());
  EXPECT_EQ(ids_of(shown->runs), (Numbers{1, 8})) << "rank 7 is run 8";
}

}  // namespace representatives_test
}  // namespace ampprof::analysis

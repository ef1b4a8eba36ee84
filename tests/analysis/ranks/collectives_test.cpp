// SPDX-License-Identifier: Apache-2.0
#include "analysis/ranks/collectives.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "analysis/ranks/ranks.h"
#include "tests/reports/sample_report.h"

namespace ampprof::analysis {
namespace collectives_test {

using testing_reports::segment;
using testing_reports::site;
using testing_reports::start_of;
using testing_reports::TemporaryFolder;

using Rows = std::vector<queries::CollectiveRow>;
using Waits = std::vector<std::optional<double>>;

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr const char* kAllReduce = "c10d::allreduce_";

/// Returns a collective call in a step, by default in a group of two ranks.
queries::CollectiveRow row_of(std::int64_t step, std::optional<double> ms, const std::string& op = kAllReduce,
                              const std::string& group = "0", std::int64_t group_size = 2) {
  queries::CollectiveRow row;
  row.step = step;
  row.op = op;
  row.call.group = group;
  row.call.group_size = group_size;
  row.ms = ms;
  return row;
}

queries::CollectiveRow starting_at(std::int64_t start_ms, queries::CollectiveRow row) {
  row.call.start_ns = start_ms * kMillisecond;
  return row;
}

TEST(WaitsOfCollectives, AreWhatTheyTakeLongerThanOnTheRankThatCameLast) {
  const Rows first{row_of(1, 5.0), row_of(1, 3.0), row_of(2, 2.0)};
  const Rows second{row_of(1, 1.0), row_of(1, 7.0), row_of(2, 2.0)};
  const auto waits = waits_of({&first, &second});
  EXPECT_EQ(waits[0], (Waits{4.0, 0.0, 0.0}));
  EXPECT_EQ(waits[1], (Waits{0.0, 4.0, 0.0}));
}

TEST(WaitsOfCollectives, TellOpsGroupsAndStepsApart) {
  const Rows first{row_of(1, 5.0), row_of(1, 9.0, "c10d::broadcast_"), row_of(2, 8.0)};
  const Rows second{row_of(1, 9.5, "c10d::broadcast_"), row_of(1, 4.0), row_of(1, 1.0, kAllReduce, "1"),
                    row_of(2, 8.25)};
  const auto waits = waits_of({&first, &second});
  EXPECT_EQ(waits[0], (Waits{1.0, 0.0, 0.0}));
  EXPECT_EQ(waits[1], (Waits{0.5, 0.0, std::nullopt, 0.25})) << "the other rank of group 1 is not there";
}

TEST(WaitsOfCollectives, AreUnknownUnlessAllRanksTell) {
  const Rows three_of_three{row_of(1, 5.0, kAllReduce, "0", 3), row_of(1, 2.0)};
  const Rows without_time{row_of(1, 1.0, kAllReduce, "0", 3), row_of(1, std::nullopt)};
  EXPECT_EQ(waits_of({&three_of_three, &without_time})[0], (Waits{std::nullopt, std::nullopt}));
  const Rows of_unknown{row_of(1, 5.0, kAllReduce, "0", 0)};
  EXPECT_EQ(waits_of({&of_unknown, &of_unknown})[0], Waits{std::nullopt});
  EXPECT_TRUE(waits_of({}).empty());
}

Rank rank_with(Rows rows) {
  Rank rank;
  rank.record.collectives = std::move(rows);
  return rank;
}

TEST(WaitsOfRanks, AreOfAStepAndNotAddedUpWhereTheyOverlap) {
  std::vector ranks{rank_with({starting_at(10, row_of(1, 6.0)), starting_at(12, row_of(1, 9.0)),
                               starting_at(40, row_of(1, 3.0)), starting_at(50, row_of(2, 4.0))}),
                    rank_with({starting_at(90, row_of(1, 1.0)), starting_at(91, row_of(1, 1.0)),
                               starting_at(92, row_of(1, 1.0)), starting_at(99, row_of(2, 1.0))})};
  find_waits(ranks);
  EXPECT_EQ(ranks[0].waits, (std::map<std::int64_t, double>{{1, 12.0}, {2, 3.0}})) << "10 to 20, 40 to 42";
  EXPECT_EQ(ranks[1].waits, (std::map<std::int64_t, double>{{1, 0.0}, {2, 0.0}}));
  EXPECT_EQ(ranks[0].wait_ms, 7.5);
  EXPECT_EQ(ranks[1].wait_ms, 0.0);
  EXPECT_TRUE(ranks[0].has_collectives);
}

TEST(WaitsOfRanks, AreUnknownInStepsOfWhichOneCollectiveIs) {
  std::vector ranks{rank_with({row_of(1, 6.0), row_of(1, std::nullopt), row_of(2, 3.0)}),
                    rank_with({row_of(1, 1.0), row_of(1, 1.0), row_of(2, 1.0)})};
  find_waits(ranks);
  EXPECT_EQ(ranks[0].waits, (std::map<std::int64_t, double>{{2, 2.0}}));
  ranks.pop_back();
  ranks[0] = rank_with(std::move(ranks[0].record.collectives));
  find_waits(ranks);
  EXPECT_TRUE(ranks[0].waits.empty()) << "the other rank is not there";
  EXPECT_EQ(ranks[0].wait_ms, std::nullopt);
  EXPECT_TRUE(ranks[0].has_collectives);
}

TEST(WaitsOfRanks, LeaveOutMessagesAndGroupsOfOne) {
  std::vector ranks{rank_with({row_of(1, std::nullopt, "c10d::send"), row_of(1, 4.0, kAllReduce, "self", 1)})};
  find_waits(ranks);
  EXPECT_FALSE(ranks[0].has_collectives);
  EXPECT_TRUE(ranks[0].waits.empty());
}

/// Returns a rank that waits `wait_ms` in each step. The duration of a step does not depend on the wait.
Rank in_step(std::size_t steps, double wait_ms) {
  Rank rank;
  for (std::size_t step = 1; step <= steps; ++step) {
    const auto number = static_cast<std::int64_t>(step);
    const double noise = static_cast<double>(step % 5) * 0.1;
    rank.record.steps.push_back({.step = number, .ms = 100.0 + noise});
    rank.record.collectives.push_back(row_of(number, 10.0 + wait_ms, kAllReduce, "0", 3));
  }
  return rank;
}

TEST(Stragglers, AreFoundAmongRanksThatAreInStep) {
  std::vector ranks{in_step(12, 20.0), in_step(12, 0.0), in_step(12, 20.5)};
  find_waits(ranks);
  find_stragglers(ranks);
  EXPECT_EQ(ranks[1].pace, Pace::Slower) << "the others wait for it";
  EXPECT_NEAR(ranks[1].slower_by.value_or(0), 0.25, 0.01) << "100 ms of its own against 80";
  EXPECT_NEAR(ranks[1].waited_for_ms.value_or(0), 20.5, 1e-9) << "of an even number the larger one in the middle";
  EXPECT_EQ(ranks[0].pace, Pace::Even);
  EXPECT_EQ(ranks[2].pace, Pace::Even);
  EXPECT_EQ(ranks[0].waited_for_ms, std::nullopt);
}

TEST(Stragglers, AreJudgedByWholeStepsWhereWaitsAreUnknown) {
  std::vector ranks{in_step(12, 20.0), in_step(12, 0.0), in_step(12, 20.0)};
  for (auto& row : ranks[2].record.collectives) row.ms.reset();
  find_waits(ranks);
  find_stragglers(ranks);
  for (const Rank& rank : ranks) {
    EXPECT_EQ(rank.pace, Pace::Even);
    EXPECT_EQ(rank.waited_for_ms, std::nullopt);
  }
}

/// Returns a collective that takes `ms`, or whose end was not recorded if `ms` is 0. Calls in a step begin in the order
/// of call site ids.
CollectiveCall call_of(std::int64_t step, std::int64_t call_site, std::int64_t ms, std::int64_t bytes = 4'000'000) {
  const std::int64_t start = step * 100 * kMillisecond + call_site;
  return {.segment = step,
          .call_site = call_site,
          .group = "0",
          .group_size = 2,
          .reduction = "sum",
          .dtype = DType::Half,
          .bytes = bytes,
          .start_ns = start,
          .end_ns = ms == 0 ? std::nullopt : std::optional(start + ms * kMillisecond)};
}

class Collectives : public testing::Test {
 protected:
  Collectives() { store::create_report(path_, false); }

  void add(std::optional<std::int64_t> rank, std::vector<CollectiveCall> calls) {
    Batch batch;
    batch.call_sites = {site(1, Phase::Backward, "", kAllReduce), site(2, Phase::Backward, "", kAllReduce, 1)};
    for (const std::int64_t step : {1, 2}) batch.segments.push_back(segment(step, step, step * 100, step * 100 + 90));
    batch.collectives = std::move(calls);
    store::ReportWriter writer(path_);
    const std::int64_t run = writer.begin_run(start_of("O1"));
    RunAttach attach{"cpu", "2.11.0", "{}", "O1"};
    attach.rank = rank;
    if (rank) attach.world_size = 2;
    writer.attach(run, attach);
    writer.append(run, batch);
    writer.fold();
  }

  void add_sketches(std::int64_t run, std::vector<CollectiveSketch> sketches) {
    Batch batch;
    batch.collective_sketches = std::move(sketches);
    store::ReportWriter(path_).append(run, batch);
  }

  std::vector<CollectiveSite> sites() const {
    const queries::Report report(path_);
    return collective_sites(report, queries::runs(report));
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "r.ampprof";
};

TEST_F(Collectives, OfAllRanksAreOneRowForEachCallSiteAndSize) {
  add(0, {call_of(1, 1, 6), call_of(1, 2, 2, 80), call_of(2, 1, 4), call_of(2, 2, 2, 40)});
  add(1, {call_of(1, 1, 2), call_of(1, 2, 2, 80), call_of(2, 1, 4), call_of(2, 2, 3, 40)});
  const auto found = sites();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].ranks, 2);
  EXPECT_EQ(found[0].calls, 4);
  EXPECT_EQ(found[0].row.call.bytes, 4'000'000);
  EXPECT_EQ(found[0].total_ms, 16.0);
  EXPECT_EQ(found[0].median_ms, 4.0);
  EXPECT_EQ(found[0].p99_ms, 6.0);
  EXPECT_EQ(found[0].wait_ms, 0.0) << "4, 0, 0 and 0";
  EXPECT_EQ(found[0].transfer_ms, 3.0) << "2, 2, 4 and 4";
  EXPECT_DOUBLE_EQ(found[0].algorithm_bandwidth().value_or(0), 4e6 / 3e-3);
  EXPECT_DOUBLE_EQ(found[0].bus_bandwidth().value_or(0), 4e6 / 3e-3) << "2 (n - 1) / n is 1";
  EXPECT_FALSE(found[0].bandwidth_is_bound());
  EXPECT_EQ(found[1].row.call.bytes, 40) << "5 ms in all";
  EXPECT_EQ(found[2].row.call.bytes, 80);
}

TEST_F(Collectives, OfARankAloneHaveABoundOfTheirBandwidth) {
  add(0, {call_of(1, 1, 6), call_of(2, 1, 4)});
  const auto found = sites();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].wait_ms, std::nullopt);
  EXPECT_EQ(found[0].transfer_ms, std::nullopt);
  EXPECT_TRUE(found[0].bandwidth_is_bound());
  EXPECT_DOUBLE_EQ(found[0].algorithm_bandwidth().value_or(0), 4e6 / 5e-3);
}

TEST_F(Collectives, WithoutTimesOrBytesHaveNoBandwidth) {
  add(std::nullopt, {call_of(1, 1, 0), call_of(1, 2, 4, 0)});
  const auto found = sites();
  ASSERT_EQ(found.size(), 2u) << "of a run without a rank, too";
  EXPECT_EQ(found[0].row.call.bytes, 0) << "what has no time comes last";
  EXPECT_EQ(found[0].bus_bandwidth(), std::nullopt);
  EXPECT_EQ(found[1].median_ms, std::nullopt);
  EXPECT_EQ(found[1].algorithm_bandwidth(), std::nullopt);
  EXPECT_EQ(found[1].calls, 1);
}

Sketch sketch_of(double first_sum, double second_sum, double sum_sq = 100.0) {
  Sketch sketch;
  sketch.elements = 1000;
  sketch.sum_sq = sum_sq;
  sketch.sums[0] = first_sum;
  sketch.sums[1] = second_sum;
  return sketch;
}

TEST(RoundingOfAnAllReduce, IsTheDistanceOfItsResultFromTheSumOfWhatCameIn) {
  const std::vector<Sketch> put_in{sketch_of(1, 2), sketch_of(3, 4)};
  const auto of_sum = rounding_of(put_in, sketch_of(4.3, 6.4), "sum");
  ASSERT_TRUE(of_sum);
  EXPECT_NEAR(of_sum->error_sq, 0.25, 1e-12);
  EXPECT_EQ(of_sum->sum_sq, 100.0);
  const auto of_mean = rounding_of(put_in, sketch_of(2, 3), "avg");
  ASSERT_TRUE(of_mean);
  EXPECT_EQ(of_mean->error_sq, 0.0);
}

TEST(RoundingOfAnAllReduce, IsUnknownOfWhatDoesNotAddUp) {
  const std::vector<Sketch> put_in{sketch_of(1, 2), sketch_of(3, 4)};
  EXPECT_FALSE(rounding_of(put_in, sketch_of(3, 4), "max"));
  EXPECT_FALSE(rounding_of({}, sketch_of(3, 4), "sum"));
  EXPECT_FALSE(rounding_of(put_in, sketch_of(0, 0, 0.0), "sum")) << "relative to zero";
  Sketch overflowed = sketch_of(4, 6);
  overflowed.nonfinite = 1;
  EXPECT_FALSE(rounding_of(put_in, overflowed, "sum"));
  Sketch shorter = sketch_of(4, 6);
  shorter.elements = 999;
  EXPECT_FALSE(rounding_of(put_in, shorter, "sum"));
}

CollectiveSketch at(std::int64_t step, bool is_result, Sketch sketch) {
  sketch.segment = step;
  sketch.call_site = 1;
  return {.is_result = is_result, .sketch = sketch};
}

TEST_F(Collectives, PoolWhatTheyRoundAway) {
  for (const std::int64_t rank : {0, 1}) add(rank, {call_of(1, 1, 6), call_of(2, 1, 6)});
  add_sketches(1, {at(1, false, sketch_of(1, 0)), at(2, false, sketch_of(1, 0)), at(2, true, sketch_of(2, 0.4))});
  EXPECT_EQ(sites().at(0).rounding, std::nullopt) << "one rank is not the sum of all";
  add_sketches(2, {at(1, false, sketch_of(1, 0)), at(2, false, sketch_of(1, 0)), at(1, true, sketch_of(2, 0.3))});
  const auto found = sites();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].roundings, 2) << "the result of either rank will do";
  EXPECT_NEAR(found[0].rounding.value_or(0), std::sqrt((0.09 + 0.16) / 200), 1e-9);
  const double share = std::sqrt(0.09 * 0.09 + 0.16 * 0.16) / (0.09 + 0.16);
  EXPECT_NEAR(found[0].rounding_error.value_or(0), *found[0].rounding * share / std::sqrt(128), 1e-9);
}

TEST_F(Collectives, OfAReportWithoutAnyAreNone) {
  add(0, {});
  EXPECT_TRUE(sites().empty());
}

}  // namespace collectives_test
}  // namespace ampprof::analysis

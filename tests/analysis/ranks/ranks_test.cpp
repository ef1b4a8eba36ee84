// SPDX-License-Identifier: Apache-2.0
#include "analysis/ranks/ranks.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/reports/sample_report.h"

namespace ampprof::analysis {

void PrintTo(const RankSpan& span, std::ostream* out) { *out << span.first << " to " << span.last; }

namespace ranks_test {

using testing_reports::call;
using testing_reports::segment;
using testing_reports::site;
using testing_reports::start_of;
using testing_reports::TemporaryFolder;
using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kForward = 1;
constexpr std::int64_t kBackward = 2;
constexpr std::int64_t kCollective = 3;
constexpr std::int64_t kLaterBackward = 4;
constexpr std::int64_t kUnknown = 0;

/// Returns one step for each of `times_ms`, its duration. Each step calls every op except kLaterBackward.
Batch steps_of(const Numbers& times_ms) {
  Batch batch;
  batch.signatures = {{1, "f32[8,4]"}};
  batch.call_sites = {site(kForward, Phase::Forward, "fc", "linear"), site(kBackward, Phase::Backward, "fc", "mm"),
                      site(kCollective, Phase::Backward, "", "c10d::allreduce_"),
                      site(kLaterBackward, Phase::Backward, "in", "mm")};
  std::int64_t now = 10;
  for (const std::int64_t ms : times_ms) {
    const auto step = static_cast<std::int64_t>(batch.segments.size()) + 1;
    batch.segments.push_back(segment(step, step, now, now + ms));
    for (const std::int64_t at : {kForward, kBackward, kCollective}) batch.calls.push_back(call(step, at));
    now += ms;
  }
  return batch;
}

void add_overflow(Batch& batch, std::int64_t step, std::int64_t first_site, const std::string& parameter) {
  NonfiniteEvent& event = batch.events.emplace_back();
  event.segment = step;
  event.first_site = first_site;
  event.by_scaler = true;
  event.parameters = {{.name = parameter, .inf = 1, .finite_amax = std::nullopt}};
}

void add_scale(Batch& batch, std::int64_t step, double after) {
  batch.scale_updates.push_back({.segment = step, .scale_before = 8, .scale_after = after});
}

/// A report of a launch at O1.
class Ranks : public testing::Test {
 protected:
  Ranks() { store::create_report(path_, false); }

  void add(std::int64_t rank, const Batch& batch, std::int64_t world_size = 4, bool ends = true) {
    store::ReportWriter writer(path_);
    const std::int64_t run = writer.begin_run(start_of("O1"));
    RunAttach attach{"cpu", "2.11.0", "{}", "O1"};
    attach.rank = rank;
    attach.world_size = world_size;
    writer.attach(run, attach);
    writer.append(run, batch);
    if (ends) writer.detach(run, {.peak_bytes = 1, .wall_ns = 2, .overhead_ns = 1});
    if (ends) writer.end_run(run, 0);
    writer.fold();
  }

  RankedLaunch launch() const {
    const queries::Report report(path_);
    auto launches = ranked_launches(report, queries::runs(report));
    EXPECT_EQ(launches.size(), 1u);
    return launches.empty() ? RankedLaunch{} : std::move(launches.front());
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "r.ampprof";
};

queries::RunRow run_of(std::int64_t id, std::optional<std::int64_t> rank, const std::string& level = "O1") {
  queries::RunRow run;
  run.run = id;
  run.level = level;
  run.rank = rank;
  run.world_size = 4;
  return run;
}

TEST(Launches, AreOfOneProgramLevelAndRepeat) {
  std::vector runs{run_of(1, 0), run_of(2, 1), run_of(3, 0, "O2"), run_of(4, std::nullopt),
                   run_of(5, 1), run_of(6, 2), run_of(7, 3)};
  runs[5].repeat = 1;
  runs[6].program = "another";
  std::vector<Numbers> ids;
  for (const auto& launch : runs_by_launch(runs)) {
    Numbers& of_launch = ids.emplace_back();
    for (const queries::RunRow& run : launch) of_launch.push_back(run.run);
  }
  EXPECT_EQ(ids, (std::vector<Numbers>{{1, 2}, {3}, {5}, {6}, {7}})) << "run 5 has a rank that run 2 has already";
}

TEST(Launches, OfOneProcessAreNone) {
  queries::RunRow run = run_of(1, 0);
  run.world_size = 1;
  EXPECT_TRUE(runs_by_launch({run}).empty());
  EXPECT_TRUE(runs_by_launch({}).empty());
}

TEST(MissingRanks, AreThoseBetweenAndBehind) {
  using Spans = std::vector<RankSpan>;
  EXPECT_EQ(missing_ranks({0, 1, 2}, 3), Spans{});
  EXPECT_EQ(missing_ranks({1, 4}, 8), (Spans{{0, 0}, {2, 3}, {5, 7}}));
  EXPECT_EQ(missing_ranks({2}, std::nullopt), (Spans{{0, 1}})) << "how many there are is not known";
  EXPECT_EQ(missing_ranks({-3, 0, 9}, 2), (Spans{{1, 8}})) << "a damaged report";
  const auto last = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(missing_ranks({0, last}, last), (Spans{{1, last - 1}}));
}

/// Returns a rank that ended with `exit_code`, `ended_ms` after a fixed time.
Rank ended(std::int64_t number, std::optional<int> exit_code, std::optional<std::int64_t> ended_ms,
           const std::string& host = "node0") {
  Rank rank;
  rank.run = run_of(number + 1, number);
  rank.run.exit_code = exit_code;
  if (ended_ms) rank.run.ended_ns = 1'700'000'000'000'000'000 + *ended_ms * 1'000'000;
  rank.run.host = host;
  return rank;
}

TEST(Deaths, AreInTheOrderOfTheirTimes) {
  const auto deaths = deaths_of({ended(0, 1, 700), ended(1, 0, 100), ended(2, 143, 900), ended(3, 137, 300)});
  ASSERT_EQ(deaths.size(), 1u);
  ASSERT_EQ(deaths[0].ranks.size(), 3u) << "rank 1 ended well";
  ASSERT_NE(deaths[0].first(), nullptr);
  EXPECT_EQ(deaths[0].first()->rank, 3);
  EXPECT_EQ(deaths[0].first()->exit_code, 137);
  EXPECT_NEAR(deaths[0].seconds_between(), 0.4, 1e-6);
  EXPECT_EQ(deaths[0].ranks[1].rank, 0);
}

TEST(Deaths, OfSeveralHostsAreNotCompared) {
  const auto deaths = deaths_of({ended(0, 1, 700, "a"), ended(1, 137, 300, "b"), ended(2, 1, 200, "a")});
  ASSERT_EQ(deaths.size(), 2u);
  EXPECT_EQ(deaths[0].host, "a");
  EXPECT_EQ(deaths[0].first()->rank, 2);
  EXPECT_EQ(deaths[1].first()->rank, 1);
}

TEST(Deaths, HaveNoFirstWhereThatIsNotSure) {
  EXPECT_EQ(deaths_of({ended(0, 1, 700), ended(1, 1, 705)})[0].first(), nullptr) << "5 ms apart";
  EXPECT_EQ(deaths_of({ended(0, 1, 700), ended(1, 1, std::nullopt)})[0].first(), nullptr);
  EXPECT_EQ(deaths_of({ended(0, 1, std::nullopt)})[0].first()->rank, 0) << "the only one";
}

TEST(Deaths, IncludeRanksWithoutAnExitCodeWhoseRecorderDidNotEnd) {
  EXPECT_EQ(deaths_of({ended(0, std::nullopt, 100)})[0].ranks[0],
            (RankDeath{0, std::nullopt, deaths_of({ended(0, 1, 100)})[0].ranks[0].ended_ns}));
  EXPECT_TRUE(deaths_of({ended(0, std::nullopt, std::nullopt)}).empty()) << "it may be running";
  Rank rank = ended(0, std::nullopt, 100);
  rank.run.peak_bytes = 1;
  EXPECT_TRUE(deaths_of({rank}).empty()) << "its recorder ended, as it does when the process leaves by itself";
}

TEST_F(Ranks, HaveTheFiguresOfTheirRuns) {
  Batch batch = steps_of({4, 4});
  batch.calls[1].local->sum_sq_error = 32;  // the call of kBackward
  batch.losses = {{.segment = 1, .loss_id = 0, .value = 2.5}};
  add(2, batch);
  add(0, steps_of({4}));
  const RankedLaunch found = launch();
  ASSERT_EQ(found.ranks.size(), 2u);
  EXPECT_EQ(found.ranks[0].run.rank, 0) << "ranks ascend, whatever the order of the runs";
  EXPECT_EQ(found.world_size(), 4);
  EXPECT_EQ(found.missing, (std::vector<RankSpan>{{1, 1}, {3, 3}}));
  EXPECT_EQ(found.missing_count(), 2);
  const Rank& rank = found.ranks[1];
  EXPECT_EQ(rank.run.steps, 2);
  EXPECT_EQ(rank.run.final_loss, 2.5);
  EXPECT_EQ(rank.record.collective_calls, 2);
  EXPECT_DOUBLE_EQ(rank.record.collective_ms, 0.004);
  EXPECT_EQ(rank.record.worst_op, "backward fc/mm");
  EXPECT_GT(rank.record.worst_local_error.value(), 1.0);
}

TEST_F(Ranks, TellWhereAnOverflowBegan) {
  Batch began = steps_of({4, 4});
  add_overflow(began, 2, kBackward, "fc.weight");
  Batch came = steps_of({4, 4});
  add_overflow(came, 2, kCollective, "fc.bias");
  Batch silent = steps_of({4, 4});
  add_overflow(silent, 2, kUnknown, "fc.bias");
  add(0, came);
  add(1, silent);
  add(2, began);
  const RankedLaunch found = launch();
  ASSERT_EQ(found.overflows.size(), 1u);
  const Overflow& overflow = found.overflows[0];
  EXPECT_EQ(overflow.step, 2);
  ASSERT_EQ(overflow.origins.size(), 1u);
  EXPECT_EQ(overflow.origins[0].rank, 2);
  EXPECT_EQ(overflow.origins[0].event.first_op, "backward fc/mm");
  EXPECT_EQ(overflow.origins[0].event.parameter, "fc.weight");
  EXPECT_EQ(overflow.received, Numbers{0});
  EXPECT_EQ(overflow.unknown, Numbers{1});
  EXPECT_EQ(found.ranks[2].overflows_begun, 1);
  EXPECT_TRUE(stands_out(found.ranks[2]));
  EXPECT_FALSE(stands_out(found.ranks[0])) << "all others received it";
}

TEST_F(Ranks, OfSeveralThatBeganAnOverflowTheEarliestOpIsFirst) {
  Batch later = steps_of({4});
  add_overflow(later, 1, kLaterBackward, "in.weight");
  Batch earlier = steps_of({4});
  add_overflow(earlier, 1, kBackward, "fc.weight");
  add_overflow(earlier, 1, kCollective, "fc.weight");  // in the next micro-batch
  add(0, later);
  add(1, earlier);
  const RankedLaunch found = launch();
  ASSERT_EQ(found.overflows.size(), 1u);
  ASSERT_EQ(found.overflows[0].origins.size(), 2u);
  EXPECT_EQ(found.overflows[0].origins[0].rank, 1);
  EXPECT_EQ(found.overflows[0].origins[1].event.first_op, "backward in/mm");
  EXPECT_TRUE(found.overflows[0].received.empty());
}

TEST_F(Ranks, ThatDifferInAScaleAreReportedWithTheStep) {
  for (const std::int64_t rank : {0, 1, 2}) {
    Batch batch = steps_of({4, 4, 4});
    add_scale(batch, 1, 8);
    add_scale(batch, 2, rank == 1 ? 4 : 8);
    add_scale(batch, 3, rank == 1 ? 2 : 8);
    add(rank, batch);
  }
  const RankedLaunch found = launch();
  EXPECT_EQ(found.ranks[1].divergence, (Divergence{Replicated::LossScale, 2, 4, 8}));
  EXPECT_EQ(found.ranks[0].divergence, std::nullopt);
  EXPECT_EQ(found.ranks[2].divergence, std::nullopt);
}

TEST_F(Ranks, ThatSkipAnotherStepDiffer) {
  for (const std::int64_t rank : {0, 1}) {
    Batch batch = steps_of({4, 4});
    batch.segments[1].skipped = rank == 1;
    add(rank, batch);
  }
  const RankedLaunch found = launch();
  EXPECT_EQ(found.ranks[0].divergence, std::nullopt) << "of two values, that of the lowest rank is the others'";
  EXPECT_EQ(found.ranks[1].divergence, (Divergence{Replicated::SkippedStep, 2, 1, 0}));
}

TEST_F(Ranks, ThatEndedEarlyDoNotDiffer) {
  Batch whole = steps_of({4, 4, 4});
  for (const std::int64_t step : {1, 2, 3}) add_scale(whole, step, 8);
  whole.segments[1].skipped = true;
  Batch killed = steps_of({4, 4});
  add_scale(killed, 1, 8);
  add(0, whole);
  add(1, killed, 4, /*ends=*/false);
  const RankedLaunch found = launch();
  EXPECT_EQ(found.ranks[0].divergence, std::nullopt);
  EXPECT_EQ(found.ranks[1].divergence, std::nullopt) << "it was killed before it could skip step 2";
  EXPECT_TRUE(stands_out(found.ranks[1])) << "it did not end";
}

struct Paces {
  const char* name;
  std::int64_t steps;
  std::int64_t own_ms;  ///< step time of rank 1; other ranks take 1000 ms; noise adds 0 to 4 ms
  Pace pace;
};

void PrintTo(const Paces& paces, std::ostream* out) { *out << paces.name; }

class PaceOfARank : public Ranks, public testing::WithParamInterface<Paces> {};

TEST_P(PaceOfARank, IsDistinguishedFromNoise) {
  for (const std::int64_t rank : {0, 1, 2}) {
    Numbers times;
    for (std::int64_t step = 0; step < GetParam().steps; ++step) {
      times.push_back((rank == 1 ? GetParam().own_ms : 1000) + (step * 7 + rank) % 5);
    }
    add(rank, steps_of(times));
  }
  const RankedLaunch found = launch();
  EXPECT_EQ(found.ranks[1].pace, GetParam().pace);
  EXPECT_NE(found.ranks[0].pace, Pace::Slower);
  EXPECT_NE(found.ranks[2].pace, Pace::Slower);
  const double slower_by = found.ranks[1].slower_by.value();
  EXPECT_NEAR(slower_by, static_cast<double>(GetParam().own_ms) / 1000 - 1, 0.005);
}

INSTANTIATE_TEST_SUITE_P(Ranks, PaceOfARank,
                         testing::Values(Paces{"slower", 12, 1200, Pace::Slower},
                                         Paces{"slower_over_many_steps", 60, 1200, Pace::Slower},
                                         Paces{"too_few_steps", 3, 1200, Pace::CannotTell},
                                         Paces{"even", 12, 1000, Pace::Even}, Paces{"faster", 12, 900, Pace::Even},
                                         Paces{"slower_by_next_to_nothing", 60, 1008, Pace::Even}),
                         [](const auto& info) { return info.param.name; });

TEST_F(Ranks, AreSlowerWhereTheirDataComeLate) {
  for (const std::int64_t rank : {0, 1, 2}) {
    Numbers times;
    for (std::int64_t step = 0; step < 12; ++step) times.push_back((rank == 1 ? 1200 : 1000) + (step * 7 + rank) % 5);
    Batch batch = steps_of(times);
    if (rank == 1) {
      for (Segment& each : batch.segments) each.start_ns += 200;  // a gap before each forward, outside every step
    }
    add(rank, batch);
  }
  const RankedLaunch found = launch();
  EXPECT_EQ(found.ranks[1].pace, Pace::Slower);
  EXPECT_EQ(found.ranks[0].pace, Pace::Even);
}

TEST_F(Ranks, AreComparedOverTheStepsThatTheyShare) {
  add(0, steps_of({100, 100, 100, 100, 100, 100, 100, 100, 900, 900, 900, 900}));
  add(1, steps_of({101, 101, 100, 100, 101, 101, 100, 100}));
  const RankedLaunch found = launch();
  EXPECT_EQ(found.ranks[0].pace, Pace::Even) << "the other one does not have the slow steps";
  EXPECT_EQ(found.ranks[1].pace, Pace::Even);
}

TEST_F(Ranks, AloneHaveNoPace) {
  add(3, steps_of({100, 100, 100}));
  const RankedLaunch found = launch();
  EXPECT_EQ(found.ranks[0].pace, Pace::CannotTell);
  EXPECT_EQ(found.ranks[0].slower_by, std::nullopt);
  EXPECT_EQ(found.missing, (std::vector<RankSpan>{{0, 2}}));
}

}  // namespace ranks_test
}  // namespace ampprof::analysis

// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/ranks/rank_reports.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/launch/run/prepare.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/recording/rank_list.h"
#include "reports/recording/stub_variables.h"
#include "reports/records/batch.h"
#include "reports/records/run.h"
#include "reports/store/report_error.h"
#include "reports/text/usage_error.h"
#include "tests/reports/sample_report.h"

namespace ampprof::cli {
namespace rank_reports_test {

namespace fs = std::filesystem;

/// A run with the files that the preload stub and the recorders write for each rank.
class RankReports : public testing::Test {
 protected:
  RankReports() {
    fs::create_directory(folder_ / "claims");
    recording_.report = folder_ / "r.ampprof";
    recording_.claim = folder_ / "claims" / "claim-1";
    store::create_report(recording_.report, false);
    prepare_rank_reports({testing_reports::start_of("O1")}, folder_ / "claims", recording_);
  }

  fs::path report_of(std::int64_t rank) const {
    return recording::file_of_rank(recording_.rank_report.string(), std::to_string(rank));
  }
  void claim(std::int64_t rank) const {
    std::ofstream(recording::file_of_rank(recording_.claim.string(), std::to_string(rank))) << "4711 " << rank;
  }
  void begin(std::int64_t rank) const {
    claim(rank);
    fs::copy_file(recording_.rank_template, report_of(rank));
  }
  void attach(std::int64_t rank) const {
    begin(rank);
    store::ReportWriter writer(report_of(rank));
    RunAttach attach{"cpu", "2.11.0", "{}", "O1"};
    attach.rank = rank;
    attach.world_size = 16;
    writer.attach(recording::kRunOfRank, attach);
  }
  void record(std::int64_t rank) const {
    attach(rank);
    store::ReportWriter writer(report_of(rank));
    Batch batch = testing_reports::two_steps();
    batch.calls.front().duration_ns = 1000 + rank;
    writer.append(recording::kRunOfRank, batch);
    writer.detach(recording::kRunOfRank, {.peak_bytes = 1, .wall_ns = 100 + rank, .overhead_ns = 1});
  }
  std::vector<RankReport> end(int exit_code = 0, const RankEndings& endings = {}) const {
    return end_rank_reports(recording_, exit_code, endings);
  }
  std::vector<fs::path> paths_of(const std::vector<RankReport>& reports) const {
    std::vector<fs::path> paths;
    for (const RankReport& report : reports) paths.push_back(report.path);
    return paths;
  }

  testing_reports::TemporaryFolder folder_;
  Recording recording_;
};

TEST_F(RankReports, BecomeOneInTheOrderOfRanks) {
  for (const std::int64_t rank : {10, 2}) record(rank);
  const std::vector<RankReport> ended = end();
  EXPECT_EQ(paths_of(ended), (std::vector<fs::path>{report_of(2), report_of(10)}));
  EXPECT_TRUE(std::ranges::all_of(ended, &RankReport::has_calls));
  merge_into_one(paths_of(ended), recording_.report);
  const queries::Report report(recording_.report);
  const auto runs = queries::runs(report);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].rank, 2);
  EXPECT_EQ(runs[1].rank, 10);
  EXPECT_EQ(runs[1].level, "O1");
  EXPECT_TRUE(runs[1].complete);
  EXPECT_FALSE(fs::exists(report_of(2)));
  EXPECT_FALSE(fs::exists(report_of(10)));
}

TEST_F(RankReports, HoldARunForEachRecipeThatWasFollowed) {
  Recording of_recipes = recording_;
  of_recipes.claim = folder_ / "claims" / "claim-2";
  of_recipes.runs = 2;
  std::vector<RunStart> starts(2, testing_reports::start_of("O0"));
  starts[0].what_if = "mxfp8";
  starts[1].what_if = "nvfp4";
  prepare_rank_reports(starts, folder_ / "claims", of_recipes);
  recording_ = of_recipes;
  attach(3);
  store::ReportWriter(report_of(3)).attach(recording::kRunOfRank + 1, {"cpu", "2.11.0", "{}", "O0"});
  const auto ended = end();
  ASSERT_EQ(ended.size(), 1u);
  const auto runs = queries::runs(queries::Report(ended[0].path));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].what_if, "mxfp8");
  EXPECT_EQ(runs[1].what_if, "nvfp4");
  EXPECT_EQ(runs[0].exit_code, 0);
  EXPECT_EQ(runs[1].exit_code, 0);
}

TEST_F(RankReports, BecomeOneWithTheReportOfAProcessThatHasNoRank) {
  record(1);
  {
    store::ReportWriter writer(recording_.report);
    const std::int64_t run = writer.begin_run(testing_reports::start_of("O1"));
    writer.attach(run, {"cpu", "2.11.0", "{}", "O1"});
    writer.end_run(run, 0);
  }
  merge_into_one({recording_.report, end().front().path}, recording_.report);
  const auto runs = queries::runs(queries::Report(recording_.report));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].rank, std::nullopt);
  EXPECT_EQ(runs[1].rank, 1);
}

TEST_F(RankReports, AreNoneWhereNoRankRecorded) { EXPECT_TRUE(end().empty()); }

TEST_F(RankReports, OfAProcessThatWasKilledBeforeItWroteIsNone) {
  claim(1);
  record(3);
  EXPECT_EQ(paths_of(end()), std::vector<fs::path>{report_of(3)});
}

TEST_F(RankReports, HoldHowTheirOwnProcessEnded) {
  for (const std::int64_t rank : {0, 1, 2}) record(rank);
  const auto ended = end(1, {{0, {1, 5'000}}, {1, {137, 4'000}}});
  merge_into_one(paths_of(ended), recording_.report);
  const auto runs = queries::runs(queries::Report(recording_.report));
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].exit_code, 1);
  EXPECT_EQ(runs[0].ended_ns, 5'000);
  EXPECT_EQ(runs[1].exit_code, 137);
  EXPECT_EQ(runs[1].ended_ns, 4'000);
  EXPECT_EQ(runs[2].exit_code, std::nullopt) << "the launcher's exit code says nothing of this rank";
  EXPECT_EQ(runs[2].ended_ns, std::nullopt);
}

TEST_F(RankReports, OfAProgramThatEndedWellAreWhole) {
  record(0);
  record(1);
  const auto ended = end(0, {{0, {std::nullopt, 5'000}}});
  merge_into_one(paths_of(ended), recording_.report);
  for (const queries::RunRow& run : queries::runs(queries::Report(recording_.report))) EXPECT_TRUE(run.complete);
}

TEST_F(RankReports, ThatAreEmptyAreReportedIfOthersAreNot) {
  begin(0);
  attach(1);
  record(2);
  const RankEndings endings{{0, {137, 1}}};
  std::vector<RankReport> ended = end(1, endings);
  ASSERT_EQ(ended.size(), 3u);
  const auto missing = remove_unrecorded_ranks(ended, endings);
  ASSERT_EQ(missing.size(), 2u);
  EXPECT_EQ(missing[0].what, "every op of rank 0");
  EXPECT_NE(missing[0].cause.find("SIGKILL"), std::string::npos) << missing[0].cause;
  EXPECT_EQ(missing[1].what, "every op of rank 1");
  EXPECT_NE(missing[1].cause.find("none of the requested steps"), std::string::npos) << missing[1].cause;
  EXPECT_EQ(paths_of(ended), (std::vector<fs::path>{report_of(1), report_of(2)}));
  EXPECT_FALSE(fs::exists(report_of(0)));
}

TEST_F(RankReports, ThatAllHoldNothingAreKept) {
  begin(0);
  attach(1);
  std::vector<RankReport> ended = end();
  EXPECT_TRUE(remove_unrecorded_ranks(ended, {}).empty()) << "that nothing was recorded is said of the whole run";
  EXPECT_EQ(ended.size(), 2u);
}

TEST_F(RankReports, StayWhereTheyCannotBecomeOne) {
  record(0);
  record(1);
  const auto ended = end();
  testing_reports::write_bytes(report_of(1), "no report");
  EXPECT_THROW(merge_into_one(paths_of(ended), recording_.report), store::ReportError);
  EXPECT_TRUE(fs::exists(report_of(0)));
  EXPECT_TRUE(fs::exists(report_of(1)));
}

TEST_F(RankReports, OfAnotherRunAreLeftAlone) {
  record(5);
  Recording next = recording_;
  next.claim = folder_ / "claims" / "claim-2";
  prepare_rank_reports({testing_reports::start_of("O2")}, folder_ / "claims", next);
  EXPECT_EQ(recording_.rank_report, folder_ / "r.ampprof");
  EXPECT_EQ(next.rank_report, folder_ / "r-2.ampprof");
  EXPECT_TRUE(fs::exists(report_of(5)));
}

TEST(RecordedRanks, AreRefusedWhereTheOthersWouldRunDifferently) {
  RunOptions options;
  Program program;
  options.record_ranks = "0";
  EXPECT_NO_THROW(check_record_ranks(options, program));
  options.levels = {"O1"};
  EXPECT_THROW(check_record_ranks(options, program), text::UsageError) << "casts are injected in each process";
  program.has_amp_core = true;
  EXPECT_NO_THROW(check_record_ranks(options, program));
  options.start.seed = 1;
  EXPECT_THROW(check_record_ranks(options, program), text::UsageError);
  options.record_ranks = "all";
  EXPECT_NO_THROW(check_record_ranks(options, program));
}

}  // namespace rank_reports_test
}  // namespace ampprof::cli

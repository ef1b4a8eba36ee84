// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/rank_reports.h"

#include <gtest/gtest.h>

#include "cli/launch/prepare.h"
#include "reports/queries/queries.h"
#include "reports/recording/rank_list.h"
#include "reports/store/report_error.h"
#include "reports/text/usage_error.h"
#include "tests/reports/sample_report.h"

namespace ampprof::cli {
namespace rank_reports_test {

namespace fs = std::filesystem;

/// A run whose ranks have written what the stub and recorders write.
class RankReports : public testing::Test {
 protected:
  RankReports() {
    fs::create_directory(folder_ / "claims");
    recording_.report = folder_ / "r.ampprof";
    recording_.claim = folder_ / "claims" / "claim-1";
    store::create_report(recording_.report, false);
    prepare_rank_reports(testing_reports::start_of("O1"), folder_ / "claims", recording_);
  }

  fs::path report_of(std::int64_t rank) const {
    return recording::file_of_rank(recording_.report.string(), std::to_string(rank));
  }
  void claim(std::int64_t rank) const {
    std::ofstream(recording::file_of_rank(recording_.claim.string(), std::to_string(rank))) << "4711 " << rank;
  }
  void record(std::int64_t rank) const {
    claim(rank);
    fs::copy_file(recording_.rank_template, report_of(rank));
    store::ReportWriter writer(report_of(rank));
    RunAttach attach{"cpu", "2.11.0", "{}", "O1"};
    attach.rank = rank;
    attach.world_size = 16;
    writer.attach(recording_.run, attach);
    Batch batch = testing_reports::two_steps();
    batch.calls.front().duration_ns = 1000 + rank;
    writer.append(recording_.run, batch);
    writer.detach(recording_.run, {.peak_bytes = 1, .wall_ns = 100 + rank, .overhead_ns = 1});
  }
  RankedRun end(const ProcessNotes& notes = {}) const {
    Program program;
    program.executable = "/bin/sh";
    return end_rank_reports(recording_, 0, notes, program, Installation::of("/nowhere/bin/ampprof"));
  }

  testing_reports::TemporaryFolder folder_;
  Recording recording_;
};

TEST_F(RankReports, BecomeOneInTheOrderOfRanks) {
  for (const std::int64_t rank : {10, 2}) record(rank);
  const RankedRun ended = end();
  EXPECT_EQ(ended.reports, (std::vector<fs::path>{report_of(2), report_of(10)}));
  EXPECT_EQ(ended.unrecorded, "");
  merge_rank_reports(ended.reports, recording_.report);
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

TEST_F(RankReports, ThatAreNoneGiveAReportThatSaysWhy) {
  const RankedRun ended = end();
  EXPECT_NE(ended.unrecorded.find("nothing was recorded: No process"), std::string::npos) << ended.unrecorded;
  merge_rank_reports(ended.reports, recording_.report);
  const queries::Report report(recording_.report);
  EXPECT_EQ(queries::runs(report).size(), 1u);
  ASSERT_EQ(queries::missing(report).size(), 1u);
  EXPECT_NE(queries::missing(report)[0].missing.cause.find("--record-ranks"), std::string::npos);
}

TEST_F(RankReports, OfAProcessThatWasKilledBeforeItWroteIsNone) {
  claim(1);
  record(3);
  EXPECT_EQ(end().reports, std::vector<fs::path>{report_of(3)});
}

TEST_F(RankReports, SayOnceWhichProcessesTrainedToo) {
  record(0);
  record(1);
  ProcessNotes notes;
  notes.trained = {"0"};
  const RankedRun ended = end(notes);
  EXPECT_EQ(ended.missing.size(), 1u);
  merge_rank_reports(ended.reports, recording_.report);
  std::int64_t said = 0;
  for (const queries::MissingRow& row : queries::missing(queries::Report(recording_.report))) {
    said += row.missing.what == "processes that trained" ? 1 : 0;
  }
  EXPECT_EQ(said, 1);
}

TEST_F(RankReports, StayWhereTheyCannotBecomeOne) {
  record(0);
  record(1);
  const RankedRun ended = end();
  testing_reports::write_bytes(report_of(1), "no report");
  EXPECT_THROW(merge_rank_reports(ended.reports, recording_.report), store::ReportError);
  EXPECT_TRUE(fs::exists(report_of(0)));
  EXPECT_TRUE(fs::exists(report_of(1)));
}

TEST_F(RankReports, OfAnEarlierRunAreReplacedWhenAskedOnly) {
  record(5);
  EXPECT_THROW(clear_rank_reports(recording_.report, false), text::UsageError);
  EXPECT_TRUE(fs::exists(report_of(5)));
  clear_rank_reports(recording_.report, true);
  EXPECT_FALSE(fs::exists(report_of(5)));
  EXPECT_NO_THROW(clear_rank_reports(recording_.report, false)) << "the report itself is none of them";
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
  options.seed = 1;
  EXPECT_THROW(check_record_ranks(options, program), text::UsageError);
  options.record_ranks = "all";
  EXPECT_NO_THROW(check_record_ranks(options, program));
}

}  // namespace rank_reports_test
}  // namespace ampprof::cli

// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/in_parallel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>

#include "reports/queries/ranks.h"
#include "reports/queries/report.h"
#include "reports/records/batch.h"
#include "reports/records/run.h"
#include "reports/store/report_error.h"
#include "reports/store/sqlite.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace in_parallel_test {

using testing_reports::TemporaryFolder;

struct Worker {};

constexpr auto kNobody = [] { return std::unique_ptr<Worker>(); };
constexpr auto kAnother = [] { return std::make_unique<Worker>(); };

template <class Make>
std::vector<int> times_taken(std::size_t count, const Make& make) {
  std::vector<int> taken(count);
  Worker own;
  queries::in_parallel(count, own, make, [&](Worker&, std::size_t i) { ++taken[i]; });
  return taken;
}

TEST(InParallel, TakesEachOnce) {
  for (const std::size_t count : {0, 1, 7, 1000}) {
    EXPECT_EQ(times_taken(count, kAnother), std::vector<int>(count, 1));
    EXPECT_EQ(times_taken(count, kNobody), std::vector<int>(count, 1)) << "without help";
  }
}

TEST(InParallel, ThrowsWhatTheWorkThrows) {
  Worker own;
  const auto fail_from_30_on = [](Worker&, std::size_t i) {
    if (i >= 30) throw std::runtime_error(std::to_string(i));
  };
  try {
    queries::in_parallel(1000, own, kNobody, fail_from_30_on);
    ADD_FAILURE() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "30");
  }
  EXPECT_THROW(queries::in_parallel(1000, own, kAnother, fail_from_30_on), std::runtime_error);
}

class ReportOfManyRanks : public testing::Test {
 protected:
  ReportOfManyRanks() {
    store::create_report(path_, false);
    store::ReportWriter writer(path_);
    for (std::int64_t rank = 0; rank < 20; ++rank) {
      const std::int64_t run = writer.begin_run(testing_reports::start_of("O1"));
      RunAttach attach{.device = "cpu", .torch_version = "2.11.0", .settings_json = "{}", .level = "O1"};
      attach.rank = rank;
      writer.attach(run, attach);
      Batch batch = testing_reports::two_steps();
      batch.segments.front().end_ns += rank;
      writer.append(run, batch);
      writer.detach(run, {.peak_bytes = 1, .wall_ns = 2, .overhead_ns = 1});
      writer.end_run(run, 0);
    }
    writer.fold();
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "r";
};

TEST_F(ReportOfManyRanks, HasTheirRecordsInOrder) {
  const queries::Report report(path_);
  std::vector<std::int64_t> runs(20);
  std::iota(runs.rbegin(), runs.rend(), 1);
  const auto records = queries::rank_records(report, runs);
  ASSERT_EQ(records.size(), runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const queries::RankRecord alone = queries::rank_record(report, runs[i]);
    ASSERT_FALSE(alone.steps.empty());
    EXPECT_EQ(records[i].steps.front().ms, alone.steps.front().ms);
    EXPECT_EQ(records[i].scales.size(), alone.scales.size());
    EXPECT_EQ(records[i].worst_op, alone.worst_op);
  }
  EXPECT_NE(records.front().steps.front().ms, records.back().steps.front().ms);
}

TEST_F(ReportOfManyRanks, SaysWhatIsDamaged) {
  const queries::Report report(path_);
  store::Database(path_, store::OpenMode::Write).run("UPDATE call_site SET phase = 99 WHERE run = 17");
  std::vector<std::int64_t> runs(20);
  std::iota(runs.begin(), runs.end(), 1);
  EXPECT_THROW((void)queries::rank_records(report, runs), store::ReportError);
}

}  // namespace in_parallel_test
}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/started_at.h"

#include "tests/reports/sample_report.h"

namespace ampprof {
namespace started_at_test {

std::optional<std::int64_t> read_back(const std::string& started_at, std::int64_t run = 1) {
  const test_support::TemporaryFolder folder;
  store::create_report(folder / "r.ampprof", true);
  RunStart start = testing_reports::start_of("O1");
  start.started_at = started_at;
  store::ReportWriter(folder / "r.ampprof").begin_run(start);
  return queries::started_at(queries::Report(folder / "r.ampprof"), run);
}

TEST(StartedAt, IsInSecondsSince1970) {
  EXPECT_EQ(read_back("1970-01-01T00:00:01Z"), 1);
  EXPECT_EQ(read_back("2026-01-02T03:04:05Z"), 1767323045);
}

TEST(StartedAt, IsEmptyWhereNoTimeCanBeRead) {
  EXPECT_EQ(read_back(""), std::nullopt);
  EXPECT_EQ(read_back("yesterday"), std::nullopt);
  EXPECT_EQ(read_back("2026-01-02T03:04:05Z", 7), std::nullopt) << "a run that is not there";
}

}  // namespace started_at_test
}  // namespace ampprof

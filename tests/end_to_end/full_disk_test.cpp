// SPDX-License-Identifier: Apache-2.0
// Simulates full disks: no file may grow beyond a limit. The program must not notice, and the report must hold what was
// recorded up to the limit. AMPPROF_FULL_DISKS=50 tries more limits.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/queries/segments.h"
#include "reports/store/sqlite.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace full_disk_test {

constexpr int kStepsOfProgram = 60;

int points() {
  const char* asked = std::getenv("AMPPROF_FULL_DISKS");
  return asked == nullptr ? 6 : std::atoi(asked);
}

/// Returns a limit in KiB. Limits form a geometric series from less than an empty report to more than this program's
/// report.
int limit_at(int point) {
  constexpr double kLeast = 8;
  constexpr double kMost = 900;
  return static_cast<int>(kLeast * std::pow(kMost / kLeast, static_cast<double>(point) / (points() - 1)));
}

CommandResult run_with_limit(int kib, const std::filesystem::path& folder) {
  return run_command("bash -c 'ulimit -f " + std::to_string(kib) + "; exec " + ampprof() +
                         " run --overhead off -o r.ampprof -- sh -c \"" + program("plain_train") + " " +
                         std::to_string(kStepsOfProgram) + " && exit 7\"'",
                     folder);
}

void expect_readable(const std::filesystem::path& path) {
  store::Database database(path, store::OpenMode::Read);
  store::Statement check(database, "PRAGMA integrity_check");
  ASSERT_TRUE(check.next());
  EXPECT_EQ(check.text(), "ok");
  const queries::Report report(path);
  ASSERT_EQ(queries::runs(report).size(), 1u);
  const std::int64_t steps = queries::last_step(report, queries::runs(report)[0].run).value_or(0);
  EXPECT_LE(steps, kStepsOfProgram);
  for (const queries::OpRow& op : queries::ops(report)) EXPECT_GE(op.calls, 1);
}

TEST(FullDisk, IsNotNoticedByTheProgram) {
  int refused = 0;
  int cut = 0;
  int whole = 0;
  for (int point = 0; point < points(); ++point) {
    const int limit = limit_at(point);
    SCOPED_TRACE(std::to_string(limit) + " KiB");
    const TemporaryFolder folder;
    const CommandResult result = run_with_limit(limit, folder.path());
    if (result.exit_code == 2) {  // ampprof failed before the program began
      ++refused;
      EXPECT_NE(result.err.find("r.ampprof"), std::string::npos) << result.err;
      EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "something was left half-written";
      continue;
    }
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_NE(result.err.find("failed with exit code 7"), std::string::npos) << result.err;
    expect_readable(folder.path() / "r.ampprof");
    const bool warned =
        result.err.find("recorded") != std::string::npos || result.err.find("recording") != std::string::npos;
    const bool is_whole = queries::runs(queries::Report(folder.path() / "r.ampprof"))[0].peak_bytes.has_value();
    EXPECT_TRUE(is_whole || warned) << result.err;
    ++(is_whole ? whole : cut);
  }
  EXPECT_GT(refused, 0) << "else no limit was small enough";
  EXPECT_GT(cut, 0);
  EXPECT_GT(whole, 0) << "else no limit was large enough";
}

}  // namespace full_disk_test
}  // namespace ampprof::testing

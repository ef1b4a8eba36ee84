// SPDX-License-Identifier: Apache-2.0
// kill -9 of the program or of the command line at any moment leaves a report that opens and says that it is
// incomplete.
#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "reports/queries/queries.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace {

/// (step, seconds on the monotonic clock when it was done), as the program itself wrote them.
std::vector<std::pair<int, double>> steps_done(const std::filesystem::path& file) {
  std::istringstream lines(bytes_of(file));
  std::vector<std::pair<int, double>> steps;
  int step = 0;
  double seconds = 0;
  while (lines >> step >> seconds) steps.emplace_back(step, seconds);
  return steps;
}

class Kill : public ::testing::TestWithParam<const char*> {};

TEST_P(Kill, LeavesAReportThatHoldsAllButTheLastSecond) {
  for (const char* delay : {"0.4", "0.9", "1.6", "2.3", "3.1"}) {
    const TemporaryFolder folder;
    const std::string start =
        ampprof() + " run -o r.ampprof -- " + program("plain_train") + " 1000000 clock & cli=$!; ";
    const std::string victim = std::string(GetParam()) == "program" ? "$(pgrep -P $cli -f plain_train)" : "$cli";
    // The clock of the kill comes from the program's own clock file: its last line is younger than a step.
    const auto result = run_command(start + "sleep " + delay + "; child=$(pgrep -P $cli); kill -9 " + victim +
                                        "; sleep 0.1; kill -9 $child 2>/dev/null; wait $cli",
                                    folder.path());
    const auto steps = steps_done(folder.path() / "clock");
    if (!std::filesystem::exists(folder.path() / "r.ampprof")) {
      EXPECT_TRUE(steps.empty()) << "the program ran, but there is no report";
      continue;
    }
    const Report report(folder.path() / "r.ampprof");
    const auto runs = report.runs();
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_FALSE(runs[0].complete);
    std::int64_t must_hold = 0;
    for (const auto& [step, seconds] : steps) {
      if (seconds < steps.back().second - 1.0) must_hold = step;
    }
    EXPECT_GE(report.last_step(runs[0].run).value_or(0), must_hold) << "killed after " << delay << " s";
    for (const auto& op : report.ops()) EXPECT_GE(op.calls, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Victims, Kill, ::testing::Values("program", "command_line"));

}  // namespace
}  // namespace ampprof::testing

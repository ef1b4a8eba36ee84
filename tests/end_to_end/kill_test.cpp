// SPDX-License-Identifier: Apache-2.0
// Ends the program or the command line with kill -9 at random moments. The report must open, be consistent, and state
// that it is incomplete. AMPPROF_KILLS=500 tries more moments.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <sstream>
#include <vector>

#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/queries/segments.h"
#include "reports/store/sqlite.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace kill_test {

namespace fs = std::filesystem;

int kills() {
  const char* asked = std::getenv("AMPPROF_KILLS");
  return asked != nullptr ? std::atoi(asked) : test_support::runs_repetitions() ? 10 : 4;
}

/// Returns each finished step with the time of its end, in seconds on the monotonic clock, as the program wrote them.
std::vector<std::pair<int, double>> steps_done(const fs::path& file) {
  std::istringstream lines(bytes_of(file));
  std::vector<std::pair<int, double>> steps;
  int step = 0;
  double seconds = 0;
  while (lines >> step >> seconds) steps.emplace_back(step, seconds);
  return steps;
}

/// Returns the last step that the report must hold: the last step that ended more than a second before the program's
/// last step.
std::int64_t step_to_hold(const std::vector<std::pair<int, double>>& steps) {
  std::int64_t must_hold = 0;
  for (const auto& [step, seconds] : steps) {
    if (seconds < steps.back().second - 1.0) must_hold = step;
  }
  return must_hold;
}

void run_until_killed(bool kills_program, double delay, const fs::path& folder) {
  const std::string victim = kills_program ? "$(pgrep -P $cli -f plain_train)" : "$cli";
  run_command(ampprof() + " run -o r.ampprof -- " + program("plain_train") + " 1000000 clock & cli=$!; sleep " +
                  std::to_string(delay) + "; child=$(pgrep -P $cli); kill -9 " + victim +
                  "; sleep 0.1; kill -9 $child 2>/dev/null; wait $cli",
              folder);
}

/// Expects a consistent report with at least the first `must_hold` steps and all calls of each step.
void expect_whole(const fs::path& path, std::int64_t must_hold) {
  {
    store::Database database(path, store::OpenMode::Read);
    store::Statement check(database, "PRAGMA integrity_check");
    ASSERT_TRUE(check.next());
    EXPECT_EQ(check.text(), "ok");
  }
  const queries::Report report(path);
  const auto runs = queries::runs(report);
  ASSERT_LE(runs.size(), 1u);
  if (runs.empty()) {
    EXPECT_EQ(must_hold, 0);
    return;
  }
  EXPECT_FALSE(runs[0].complete);
  EXPECT_GE(queries::last_step(report, runs[0].run).value_or(0), must_hold);
  std::int64_t calls = 0;
  std::map<std::int64_t, std::int64_t> calls_in_backward;  // by call site, over all positions in the step
  for (const queries::OpRow& op : queries::ops(report)) {
    calls += op.calls;
    if (op.phase == Phase::Backward) calls_in_backward[op.call_site_id] += op.calls;
  }
  EXPECT_EQ(calls, runs[0].op_calls);
  for (const auto& [site, of_site] : calls_in_backward) EXPECT_GE(of_site, must_hold);
}

/// Returns the number of op calls modulo 251, as read by a user without write access to the folder. Returns 251 if this
/// user cannot read the report, 252 if the test cannot switch to this user.
int calls_read_by_nobody(const fs::path& folder) {
  run_command("chmod -R a-w,a+rX .", folder);
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::getuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) ::_exit(252);
    try {
      const auto runs = queries::runs(queries::Report(folder / "r.ampprof"));
      ::_exit(runs.empty() ? 0 : static_cast<int>(runs[0].op_calls % 251));
    } catch (const std::exception&) {
      ::_exit(251);
    }
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  run_command("chmod -R u+w .", folder);
  return WEXITSTATUS(status);
}

TEST(Kill, LeavesAReportThatHoldsAllButTheLastSecond) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> moment(0.05, 3.0);
  int with_steps = 0;
  for (int i = 0; i < kills(); ++i) {
    const double delay = moment(random);
    SCOPED_TRACE((i % 2 == 0 ? "the program, after " : "the command line, after ") + std::to_string(delay) + " s");
    const TemporaryFolder folder;
    run_until_killed(i % 2 == 0, delay, folder.path());
    const auto steps = steps_done(folder.path() / "clock");
    if (!fs::exists(folder.path() / "r.ampprof")) {
      EXPECT_TRUE(steps.empty()) << "the program ran without a report";
      continue;
    }
    const std::int64_t must_hold = step_to_hold(steps);
    with_steps += must_hold > 0 ? 1 : 0;
    const auto calls = calls_read_by_nobody(folder.path());
    expect_whole(folder.path() / "r.ampprof", must_hold);
    const auto runs = queries::runs(queries::Report(folder.path() / "r.ampprof"));
    EXPECT_TRUE(calls == 252 || calls == (runs.empty() ? 0 : runs[0].op_calls % 251)) << calls;
  }
  EXPECT_GT(with_steps, 0) << "else the program never got far enough to test anything";
}

/// Returns shell lines that start `ampprof watch` and `ampprof serve` alternately on a run, and kill each after a
/// random time.
std::string follow_and_kill(int rounds) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> moment(0.02, 0.4);
  std::string lines;
  for (int i = 0; i < rounds; ++i) {
    const std::string follower = i % 2 == 0 ? " watch r.ampprof" : " serve r.ampprof";
    lines += ampprof() + follower + " >seen 2>&1 & seen=$!; sleep " + std::to_string(moment(random)) +
             "; kill -9 $seen; wait $seen 2>/dev/null; ";
  }
  return lines;
}

TEST(Kill, OfAFollowerHarmsNoRun) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const TemporaryFolder folder;
  const int rounds = test_support::runs_repetitions() ? 50 : 4;
  const auto result = run_command(ampprof() + " run -o r.ampprof -- " + python() + " " + script("train_until.py") +
                                      " >steps & cli=$!; while [ ! -s steps ]; do sleep 0.1; done; " +
                                      follow_and_kill(rounds) + "touch end; wait $cli",
                                  folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string steps = bytes_of(folder.path() / "steps");
  const auto runs = queries::runs(queries::Report(folder.path() / "r.ampprof"));
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_TRUE(runs[0].complete);
  EXPECT_EQ(runs[0].steps, std::ranges::count(steps, '\n'));
  store::Database database(folder.path() / "r.ampprof", store::OpenMode::Read);
  store::Statement check(database, "PRAGMA integrity_check");
  ASSERT_TRUE(check.next());
  EXPECT_EQ(check.text(), "ok");
}

TEST(Kill, OfARunLeavesItsFollowersReadable) {
  const TemporaryFolder folder;
  const int rounds = test_support::runs_repetitions() ? 10 : 1;
  for (int i = 0; i < rounds; ++i) {
    const auto result = run_command(
        ampprof() + " run --force -o r.ampprof -- " + program("plain_train") + " 1000000 clock & cli=$!; " +
            "while [ ! -s clock ]; do sleep 0.1; done; " + ampprof() +
            " watch r.ampprof >seen 2>err & seen=$!; sleep 0.5; " +
            "child=$(pgrep -P $cli); kill -9 $cli $child; sleep 1.5; kill -0 $seen && echo follows; kill -INT $seen; " +
            "wait $seen; echo $?; rm clock",
        folder.path());
    EXPECT_EQ(result.out, "follows\n0\n") << result.err << bytes_of(folder.path() / "err");
  }
}

}  // namespace kill_test
}  // namespace ampprof::testing

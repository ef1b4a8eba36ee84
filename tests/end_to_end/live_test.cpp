// SPDX-License-Identifier: Apache-2.0
// Tests that a recording can be changed while the program runs, and that it can keep only the latest steps in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "reports/queries/events.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/queries/segments.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace live_test {

using ::testing::HasSubstr;

/// Runs train_until.py until end() is called.
class LiveRun {
 public:
  explicit LiveRun(const std::string& flags)
      : thread_([this, flags] {
          result_ = run_command(ampprof() + " run -o r.ampprof " + flags + " -- sh -c 'echo $$ > pid; exec " +
                                    python() + " " + script("train_until.py") + "'",
                                folder_.path());
        }) {}
  ~LiveRun() { end(); }
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  void end() {
    if (!thread_.joinable()) return;
    std::ofstream(folder_.path() / "end");
    thread_.join();
    EXPECT_EQ(result_.exit_code, 0) << result_.err;
  }

  CommandResult ctl(const std::string& words) const {
    return run_command(ampprof() + " ctl r.ampprof " + words, folder_.path());
  }

  void write(const std::string& file, const std::string& text) const { std::ofstream(folder_.path() / file) << text; }

  pid_t pid() const {
    std::ifstream file(folder_.path() / "pid");
    pid_t pid = 0;
    file >> pid;
    return pid;
  }

  std::int64_t steps(bool recorded) const {
    try {
      const auto runs = queries::runs(report());
      return runs.empty() ? 0 : recorded ? runs[0].recorded_steps : runs[0].steps;
    } catch (const std::exception&) {
      return 0;  // the report does not exist yet
    }
  }

  queries::Report report() const { return queries::Report(folder_.path() / "r.ampprof"); }

 private:
  const TemporaryFolder folder_;
  CommandResult result_;
  std::thread thread_;
};

bool waits_for(const std::function<bool()>& condition) {
  for (const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(40);
       std::chrono::steady_clock::now() < until;) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

TEST(LiveControl, StopsAndStartsTheRecordingOfSteps) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  LiveRun run("");
  ASSERT_TRUE(waits_for([&] { return run.steps(true) > 0; }));
  const auto stopped = run.ctl("stop");
  EXPECT_EQ(stopped.exit_code, 0) << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("Records nothing from step "));
  std::int64_t recorded = 0;
  ASSERT_TRUE(waits_for([&] { return run.steps(false) > run.steps(true) + 10; }));
  recorded = run.steps(true);
  EXPECT_THAT(run.ctl("deep 5").out, HasSubstr("Records the next 5 steps in full, from step "));
  ASSERT_TRUE(waits_for([&] { return run.steps(true) == recorded + 5; }));
  const std::int64_t passed = run.steps(false);
  ASSERT_TRUE(waits_for([&] { return run.steps(false) > passed + 20; }));
  EXPECT_EQ(run.steps(true), recorded + 5) << "five, and no more";
  EXPECT_THAT(run.ctl("every 7").out, HasSubstr("Records one in 7 steps from step "));
  ASSERT_TRUE(waits_for([&] { return run.steps(true) > recorded + 6; }));
  run.end();
  EXPECT_TRUE(queries::runs(run.report()).at(0).complete);
}

TEST(LiveControl, RefusesUnknownRequestsAndReportsWithoutAWriter) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  LiveRun run("");
  const auto unknown = run.ctl("evry 3");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("Unknown command 'evry 3'. Use start|stop|every N|deep N|policy FILE|dump"));
  ASSERT_TRUE(waits_for([&] { return run.steps(true) > 0; }));
  run.end();
  const auto late = run.ctl("stop");
  EXPECT_EQ(late.exit_code, 4);
  EXPECT_THAT(late.err, HasSubstr("Cannot reach the program that writes 'r.ampprof'"));
}

/// Returns the step that an answer of `ampprof ctl` names. The report lags behind the answer by up to a quarter of a
/// second.
std::int64_t step_in(const std::string& answer) {
  const std::string words = "from step ";
  return std::stoll(answer.substr(answer.find(words) + words.size()));
}

/// Returns the program's linear layer in `steps` steps from `step` on, or nothing if the layer has not run in them.
std::optional<queries::OpRow> linear_of(const queries::Report& report, std::int64_t step, std::int64_t steps) {
  for (const queries::OpRow& row : queries::ops(report, {}, queries::StepSpan{step, step + steps - 1})) {
    if (row.op == "linear") return row;
  }
  return std::nullopt;
}

DType type_of_linear(const queries::Report& report, std::int64_t step) {
  const auto linear = linear_of(report, step, 1000);
  return linear ? linear->dtype_out : DType::Unknown;
}

bool has_ranges(const queries::Report& report, std::int64_t step) {
  const auto linear = linear_of(report, step, 1);
  return linear && linear->ranges;
}

TEST(LiveControl, PutsAPolicyInForce) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  LiveRun run("--levels O1");
  ASSERT_TRUE(waits_for([&] { return run.steps(true) > 3; }));
  EXPECT_EQ(type_of_linear(run.report(), 1), DType::Half);
  run.write("wrong.amp", "no_such_op fp32\n");
  const auto wrong = run.ctl("policy wrong.amp");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("wrong.amp:1: There is no op no_such_op"));
  run.write("right.amp", "linear fp32\n");
  const auto right = run.ctl("policy right.amp");
  EXPECT_EQ(right.exit_code, 0) << right.err;
  EXPECT_THAT(right.out, HasSubstr("right.amp to those of O1, from step "));
  const std::int64_t changed = step_in(right.out);
  ASSERT_TRUE(waits_for([&] { return type_of_linear(run.report(), changed) != DType::Unknown; }));
  EXPECT_EQ(type_of_linear(run.report(), changed), DType::Float);
  run.end();
  const auto missing = queries::missing(run.report());
  EXPECT_TRUE(std::ranges::any_of(missing,
                                  [](const auto& row) { return row.missing.what == "a single policy for all steps"; }));
}

TEST(LiveControl, MeasuresDeepStepsInFull) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  LiveRun run("");
  ASSERT_TRUE(waits_for([&] { return run.steps(true) > 60; }));
  const std::int64_t first = step_in(run.ctl("deep 5").out);
  ASSERT_TRUE(waits_for([&] { return run.steps(true) > first + 20; }));
  run.end();
  std::int64_t in_a_row = 0, most = 0;
  for (std::int64_t step = first - 20; step < first + 20; ++step) {
    in_a_row = has_ranges(run.report(), step) ? in_a_row + 1 : 0;
    most = std::max(most, in_a_row);
  }
  EXPECT_GE(most, 5) << "one of 17 has its turn";
  EXPECT_LE(most, 6) << "its turn may come just before or after";
}

TEST(LiveControl, ASignalAsksForDeepSteps) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  LiveRun run("--steps 1:2");
  ASSERT_TRUE(waits_for([&] { return run.steps(false) > 10; }));
  EXPECT_EQ(run.steps(true), 2);
  ASSERT_EQ(::kill(run.pid(), SIGRTMIN + 9), 0);
  EXPECT_TRUE(waits_for([&] { return run.steps(true) == 12; })) << run.steps(true);
}

TEST(Ring, IsWrittenWhenAskedFor) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  LiveRun run("--ring 4");
  ASSERT_TRUE(waits_for([&] { return run.steps(false) > 20; }));
  EXPECT_EQ(run.steps(true), 0);
  EXPECT_THAT(run.ctl("dump").out, HasSubstr("Writes the steps that are kept in memory."));
  EXPECT_TRUE(waits_for([&] { return run.steps(true) >= 4; }));
}

/// Returns the report of a run of 30 steps with `--ring 4`.
queries::Report ring_of_30(const TemporaryFolder& folder, const std::string& failure) {
  run_command(
      ampprof() + " run --ring 4 -o r.ampprof -- " + python() + " " + script("train_until.py") + " 30 " + failure,
      folder.path());
  return queries::Report(folder.path() / "r.ampprof");
}

/// Expects the ring's four steps, and possibly steps written in the same batch, which covers a quarter of a second.
void expect_latest(std::int64_t recorded) {
  EXPECT_GE(recorded, 4);
  EXPECT_LE(recorded, 30);
}

TEST(Ring, IsDroppedIfNothingHappens) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const TemporaryFolder folder;
  const queries::Report report = ring_of_30(folder, "");
  const auto run = queries::runs(report).at(0);
  EXPECT_EQ(run.steps, 30);
  EXPECT_EQ(run.recorded_steps, 0);
  EXPECT_TRUE(queries::ops(report, run.run).empty());
  EXPECT_TRUE(std::ranges::any_of(queries::missing(report), [](const queries::MissingRow& row) {
    return row.missing.what == "op calls of earlier steps" && row.missing.count >= 30;
  }));
}

TEST(Ring, HoldsWhatLedToAnEvent) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const TemporaryFolder folder;
  const queries::Report report = ring_of_30(folder, "nan");
  const auto run = queries::runs(report).at(0);
  expect_latest(run.recorded_steps);
  const auto events = queries::events(report);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events[0].step, 30);
  EXPECT_EQ(events[0].first_op, "log") << "in a step whose ranges are not measured, too";
}

TEST(Ring, IsWrittenWhereTheProgramFails) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const TemporaryFolder folder;
  expect_latest(queries::runs(ring_of_30(folder, "exception")).at(0).recorded_steps);
}

TEST(Ring, IsWrittenAtAnUncaughtException) {
  const TemporaryFolder folder;
  const auto result = run_command(
      ampprof() + " run --ring 4 -o r.ampprof -- " + program("plain_train") + " 30 clock fails", folder.path());
  EXPECT_THAT(result.err, HasSubstr("c10::Error"));
  const queries::Report report(folder.path() / "r.ampprof");
  expect_latest(queries::runs(report).at(0).recorded_steps);
}

TEST(RangesOfFp32, AreMeasuredInSomeSteps) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const TemporaryFolder folder;
  const auto measured_of_linear = [&](const std::string& flags) {
    run_command(
        ampprof() + " run --force -o r.ampprof " + flags + " -- " + python() + " " + script("train_until.py") + " 40",
        folder.path());
    const queries::Report report(folder.path() / "r.ampprof");
    const auto ops = queries::ops(report, 1);
    const auto linear = std::ranges::find(ops, "linear", &queries::OpRow::op);
    return linear == ops.end() || !linear->ranges ? 0 : linear->ranges->count / (8 * 4);
  };
  EXPECT_EQ(measured_of_linear(""), 16) << "what comes before the first step counts as one";
  EXPECT_EQ(measured_of_linear("--overhead off"), 40);
}

}  // namespace live_test
}  // namespace ampprof::testing

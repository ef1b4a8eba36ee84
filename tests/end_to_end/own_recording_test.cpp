// SPDX-License-Identifier: Apache-2.0
// Compares programs that begin and end recordings themselves with the same programs under `ampprof run`.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "reports/queries/events.h"
#include "reports/queries/losses.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace own_recording_test {

std::vector<queries::OpRow> sorted_ops(const queries::Report& report) {
  auto ops = queries::ops(report);
  const auto place = [](const queries::OpRow& row) { return std::tie(row.phase, row.call_site, row.source); };
  std::ranges::sort(ops, [&](const auto& a, const auto& b) { return place(a) < place(b); });
  return ops;
}

void expect_same_runs(const queries::Report& own, const queries::Report& launched) {
  const queries::RunRow a = queries::runs(own).at(0);
  const queries::RunRow b = queries::runs(launched).at(0);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.recorded_steps, b.recorded_steps);
  EXPECT_EQ(a.skipped_steps, b.skipped_steps);
  EXPECT_EQ(a.complete, b.complete);
  EXPECT_EQ(a.exit_code, b.exit_code);
  EXPECT_EQ(a.final_loss, b.final_loss);
}

void expect_same_ops(const queries::Report& own, const queries::Report& launched) {
  const auto a = sorted_ops(own);
  const auto b = sorted_ops(launched);
  ASSERT_GT(a.size(), 10u);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    SCOPED_TRACE(b[i].call_site);
    EXPECT_EQ(a[i].call_site, b[i].call_site);
    EXPECT_EQ(a[i].phase, b[i].phase);
    EXPECT_EQ(a[i].source, b[i].source);
    EXPECT_EQ(a[i].calls, b[i].calls);
    EXPECT_EQ(a[i].local, b[i].local);
    EXPECT_EQ(a[i].inherited, b[i].inherited);
    EXPECT_EQ(a[i].loss_impact, b[i].loss_impact);
  }
}

void expect_same_events(const queries::Report& own, const queries::Report& launched) {
  const auto a = queries::events(own);
  const auto b = queries::events(launched);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].step, b[i].step);
    EXPECT_EQ(a[i].first_op, b[i].first_op);
    EXPECT_EQ(a[i].chain, b[i].chain);
  }
}

void expect_same(const queries::Report& own, const queries::Report& launched) {
  expect_same_runs(own, launched);
  expect_same_ops(own, launched);
  expect_same_events(own, launched);
  EXPECT_EQ(queries::missing(own).size(), queries::missing(launched).size());
  EXPECT_EQ(queries::losses(own).size(), queries::losses(launched).size());
}

/// Runs cases of records_itself.py in one process, one after the other.
CommandResult run_cases(const std::string& words, const std::filesystem::path& folder, const std::string& before = "") {
  return run_command("export OMP_NUM_THREADS=1 PYTHONPATH=" + python_modules() + "; " + before + python() + " " +
                         script("records_itself.py") + " " + words,
                     folder);
}

class OwnRecording : public ::testing::Test {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  }

  CommandResult run(const std::string& words, const std::string& before = "") {
    const auto result = run_cases(words, folder_.path(), before);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }

  queries::Report report(const std::string& name) const {
    return queries::Report(folder_.path() / (name + ".ampprof"));
  }
  bool has(const std::string& name) const { return std::filesystem::exists(folder() / name); }
  std::filesystem::path folder() const { return folder_.path(); }

  queries::Report launched(const std::string& options, const std::string& words) {
    const auto result = run_command("export OMP_NUM_THREADS=1; " + ampprof() + " run --force -o launched.ampprof " +
                                        options + " -- " + python() + " " + script("train.py") + " " + words,
                                    folder_.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    printed_ = result.out;
    return report("launched");
  }
  /// Returns the output of the last program.
  const std::string& printed() const { return printed_; }

 private:
  TemporaryFolder folder_;
  std::string printed_;
};

TEST_F(OwnRecording, HoldsWhatTheLauncherRecordsEachTimeInOneProcess) {
  const std::string words = "--amp --steps 6 --init-scale 1e38";
  const auto own = run("twice " + words);
  const queries::Report with_impact = launched("--impact", words);
  expect_same(report("first"), with_impact);
  expect_same(report("second"), with_impact);
  EXPECT_EQ(own.out, printed() + printed()) << "the program's state changed";
}

TEST_F(OwnRecording, HoldsWhatTheLauncherRecordsWithAShadow) {
  AMPPROF_REPETITION();
  const std::string words = "--amp --steps 6 --init-scale 1e38";
  const auto own = run("whole " + words);
  expect_same(report("whole"), launched("--impact --inherited", words));
  EXPECT_EQ(own.out, printed()) << "the program's state changed";
}

// Keeps the ops that are in modules. The other ops are those of data loaders, whose step depends on the speed of
// workers.
std::vector<queries::OpRow> ops_of_modules(const queries::Report& report) {
  auto ops = sorted_ops(report);
  std::erase_if(ops, [](const queries::OpRow& op) { return op.module.empty(); });
  return ops;
}

// OwnRecordings tests a forked child that exits inside the recording.
TEST_F(OwnRecording, IsNotDisturbedByForkedWorkers) {
  AMPPROF_REPETITION();
  const std::string words = "--workers 2 --start-method fork";
  run("whole " + words);
  const queries::Report by_launcher = launched("--impact --inherited", words);
  expect_same_runs(report("whole"), by_launcher);
  const auto own_ops = ops_of_modules(report("whole"));
  const auto ops = ops_of_modules(by_launcher);
  ASSERT_EQ(own_ops.size(), ops.size());
  for (std::size_t i = 0; i < ops.size(); ++i) {
    EXPECT_EQ(own_ops[i].calls, ops[i].calls) << ops[i].call_site;
    EXPECT_EQ(own_ops[i].local, ops[i].local) << ops[i].call_site;
  }
}

TEST_F(OwnRecording, LeavesTheLauncherAloneAndSaysSo) {
  const auto result = run("warns", ampprof() + " run -o launched.ampprof -- ");
  EXPECT_NE(result.out.find("ampprof run already records"), std::string::npos) << result.out;
  EXPECT_FALSE(has("warns.ampprof"));
  EXPECT_EQ(queries::runs(report("launched")).at(0).steps, 4);
  EXPECT_TRUE(queries::runs(report("launched")).at(0).complete);
}

/// Makes many recordings in one process.
class OwnRecordings : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (python().empty()) return;
    folder_ = new TemporaryFolder;
    result_ = new CommandResult(
        run_cases("compiled_before,late,with_options,reads,wrong_option,exception,warns,nothing,fork,marks,"
                  "interrupted,lost,ignored_children,spawned,dies --amp",
                  folder_->path()));
  }
  static void TearDownTestSuite() {
    delete std::exchange(result_, nullptr);
    delete std::exchange(folder_, nullptr);
  }
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
    ASSERT_TRUE(has("dies.ampprof")) << "not all cases came to their end: " << result_->err;
  }

  static const CommandResult& result() { return *result_; }
  static bool prints(const std::string& text) { return result_->out.find(text) != std::string::npos; }
  static bool has(const std::string& name) { return std::filesystem::exists(folder_->path() / name); }
  static queries::Report report(const std::string& name) {
    return queries::Report(folder_->path() / (name + ".ampprof"));
  }

 private:
  static inline TemporaryFolder* folder_ = nullptr;
  static inline CommandResult* result_ = nullptr;
};

TEST_F(OwnRecordings, SeeOptimizersAndModulesThatWereThereBefore) {
  EXPECT_EQ(queries::runs(report("late")).at(0).steps, 3);
  const auto ops = queries::ops(report("late"));
  const auto is_named = [](const queries::OpRow& op) { return op.phase == Phase::Backward && op.module == "conv"; };
  EXPECT_TRUE(std::ranges::any_of(ops, is_named));
  const auto is_update = [](const queries::OpRow& op) { return op.phase == Phase::Optimizer; };
  EXPECT_TRUE(std::ranges::any_of(ops, is_update));
}

TEST_F(OwnRecordings, TakeTheOptionsOfRunAndShowThemselves) {
  EXPECT_EQ(queries::runs(report("with_options")).at(0).recorded_steps, 2);
  EXPECT_TRUE(prints("with_options.ampprof"));
}

TEST_F(OwnRecordings, AreReadAsTables) {
  EXPECT_TRUE(prints("1 run level"));
  EXPECT_TRUE(prints("4 run level step")) << "a row for each step's loss";
  EXPECT_TRUE(prints("True True\nTrue True\nTrue True\n"));
  EXPECT_TRUE(prints("Unknown view 'nonsense'"));
  EXPECT_TRUE(prints("4 cannot open the report "));
  EXPECT_FALSE(has("reads.ampprof-wal")) << "the report is one file";
}

TEST_F(OwnRecordings, WithAnUnknownOptionGiveASentence) {
  EXPECT_TRUE(prints("--what-iff"));
  EXPECT_FALSE(has("wrong_option.ampprof"));
}

TEST_F(OwnRecordings, AreWholeWhereAnExceptionEndsThem) {
  EXPECT_TRUE(prints("the program's own"));
  const queries::RunRow row = queries::runs(report("exception")).at(0);
  EXPECT_EQ(row.exit_code, 1);
  EXPECT_EQ(row.steps, 4);
}

TEST_F(OwnRecordings, LeaveAnotherOneAloneAndSaySo) {
  EXPECT_TRUE(prints("is already in progress"));
  EXPECT_FALSE(has("inner.ampprof"));
  EXPECT_EQ(queries::runs(report("warns")).at(0).steps, 4);
}

TEST_F(OwnRecordings, HaveFailedWhereAnExceptionEndsTheScript) {
  EXPECT_EQ(result().exit_code, 1);
  EXPECT_NE(result().err.find("the program's own"), std::string::npos) << result().err;
  EXPECT_EQ(queries::runs(report("dies")).at(0).exit_code, 1);
  EXPECT_EQ(queries::runs(report("dies")).at(0).steps, 4);
}

TEST_F(OwnRecordings, WithoutAnOpSaySo) { EXPECT_TRUE(prints("nothing was recorded")); }

TEST_F(OwnRecordings, AreNotEndedByAFork) {
  const auto ops = queries::ops(report("fork"));
  const auto is_after = [](const queries::OpRow& op) { return op.op == "sum" && op.module.empty(); };
  EXPECT_EQ(std::ranges::count_if(ops, is_after), 1) << "what the child calls is not there, what its parent does is";
  EXPECT_TRUE(queries::runs(report("fork")).at(0).complete);
}

TEST_F(OwnRecordings, SayThatRegionsCompiledBeforeAreNotSeen) {
  const auto missing = queries::missing(report("compiled_before"));
  EXPECT_TRUE(std::ranges::any_of(missing, [](const queries::MissingRow& row) {
    return row.missing.what == "compiled regions" && row.missing.cause.find("before the first") != std::string::npos;
  }));
}

TEST_F(OwnRecordings, EndIfAnInterruptLeavesThemWithoutAnOwner) {
  EXPECT_EQ(queries::runs(report("after")).at(0).steps, 4);
  EXPECT_TRUE(has("interrupted.ampprof"));
}

TEST_F(OwnRecordings, CanBeEndedFromAnywhere) {
  EXPECT_TRUE(prints("This recording has not begun"));
  EXPECT_EQ(queries::runs(report("lost")).at(0).steps, 4);
  EXPECT_TRUE(queries::runs(report("lost")).at(0).complete);
}

TEST_F(OwnRecordings, WorkIfEndedChildrenAreIgnored) {
  EXPECT_TRUE(queries::runs(report("ignored_children")).at(0).complete);
  EXPECT_TRUE(prints("left in the environment: []"));
}

TEST_F(OwnRecordings, AreWholeInWorkersToo) {
  std::int64_t calls = 0;
  for (const queries::OpRow& op : queries::ops(report("spawned"))) calls += op.calls;
  EXPECT_EQ(calls, 200'101);
}

TEST_F(OwnRecordings, AcceptMarksOfStepEnds) {
  EXPECT_GE(queries::runs(report("marks")).at(0).steps, 5) << "without a word from the program it would be one";
}

class OwnRecordingOfCpp : public ::testing::Test {
 protected:
  CommandResult run(const std::string& words, const std::string& before = "") {
    const auto bin = std::filesystem::path(ampprof()).parent_path();
    return run_command(
        "export OMP_NUM_THREADS=1 PATH=" + bin.string() + ":$PATH; " + before + program("records_itself") + " " + words,
        folder_.path());
  }
  queries::Report report(const std::string& name) const { return queries::Report(folder_.path() / name); }
  bool has(const std::string& name) const { return std::filesystem::exists(folder_.path() / name); }

 private:
  TemporaryFolder folder_;
};

TEST_F(OwnRecordingOfCpp, HoldsWhatTheLauncherRecordsTwice) {
  const auto result = run("first.ampprof - second.ampprof");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  ASSERT_EQ(run("-", ampprof() + " run -o launched.ampprof --impact -- ").exit_code, 0);
  expect_same(report("first.ampprof"), report("launched.ampprof"));
  expect_same(report("second.ampprof"), report("launched.ampprof"));
}

TEST_F(OwnRecordingOfCpp, IsWholeWhereAnExceptionEndsIt) {
  const auto result = run("!");
  EXPECT_NE(result.out.find("the program's own"), std::string::npos) << result.out << result.err;
  const queries::RunRow row = queries::runs(report("exception.ampprof")).at(0);
  EXPECT_EQ(row.exit_code, 1);
  EXPECT_GE(row.steps, 3);
}

TEST_F(OwnRecordingOfCpp, IsWholeWhereTheProgramExits) {
  const auto result = run("x");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const queries::RunRow row = queries::runs(report("exit.ampprof")).at(0);
  EXPECT_TRUE(row.complete);
  EXPECT_GE(row.steps, 3);
}

TEST_F(OwnRecordingOfCpp, LeavesTheLauncherAloneAndSaysSo) {
  const auto result = run("own.ampprof", ampprof() + " run -o launched.ampprof -- ");
  EXPECT_NE(result.err.find("ampprof run already records"), std::string::npos) << result.err;
  EXPECT_FALSE(has("own.ampprof"));
  EXPECT_GE(queries::runs(report("launched.ampprof")).at(0).steps, 3);
}

TEST_F(OwnRecordingOfCpp, WithoutAnAmpprofGivesASentence) {
  const auto result = run("own.ampprof", "PATH=/bin ");
  EXPECT_NE(result.out.find("There is no ampprof on the PATH"), std::string::npos) << result.out;
}

}  // namespace own_recording_test
}  // namespace ampprof::testing

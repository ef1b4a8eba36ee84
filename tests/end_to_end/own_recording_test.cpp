// SPDX-License-Identifier: Apache-2.0
// Programs that begin and end a recording themselves, against the same programs under `ampprof run`.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "reports/queries/losses.h"
#include "reports/queries/queries.h"
#include "tests/end_to_end/command.h"

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

class OwnRecording : public ::testing::Test {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  }

  CommandResult run(const std::string& words, const std::string& before = "") {
    const auto modules = std::filesystem::path(ampprof()).parent_path().parent_path() / "share/ampprof/python";
    const auto result = run_command("export OMP_NUM_THREADS=1 PYTHONPATH=" + modules.string() + "; " + before +
                                        python() + " " + script("records_itself.py") + " " + words,
                                    folder_.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }

  queries::Report report(const std::string& name = "own.ampprof") const {
    return queries::Report(folder_.path() / name);
  }
  bool has(const std::string& name) const { return std::filesystem::exists(folder_.path() / name); }

  queries::Report launched(const std::string& options, const std::string& words) {
    const auto result = run_command("export OMP_NUM_THREADS=1; " + ampprof() + " run --force -o launched.ampprof " +
                                        options + " -- " + python() + " " + script("train.py") + " " + words,
                                    folder_.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return report("launched.ampprof");
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(OwnRecording, HoldsWhatTheLauncherRecords) {
  for (const std::string words : {"", "--amp --steps 6 --init-scale 1e38"}) {
    SCOPED_TRACE(words);
    const std::string plain = run_command(python() + " " + script("train.py") + " " + words, ".").out;
    EXPECT_EQ(run("whole " + words).out, plain) << "the program's state changed";
    expect_same(report(), launched("--impact --inherited", words));
  }
}

TEST_F(OwnRecording, IsAsGoodASecondTimeInOneProcess) {
  run("twice --amp");
  const queries::Report by_launcher = launched("--impact", "--amp");
  expect_same(report("first.ampprof"), by_launcher);
  expect_same(report("second.ampprof"), by_launcher);
}

TEST_F(OwnRecording, TakesTheOptionsOfRunAndShowsItself) {
  const auto result = run("with_options");
  EXPECT_EQ(queries::runs(report()).at(0).recorded_steps, 2);
  EXPECT_NE(result.out.find("own.ampprof"), std::string::npos) << result.out;
}

TEST_F(OwnRecording, OfAnUnknownOptionGivesASentence) {
  const auto result = run("wrong_option");
  EXPECT_NE(result.out.find("--what-iff"), std::string::npos) << result.out;
  EXPECT_FALSE(has("own.ampprof"));
}

TEST_F(OwnRecording, IsWholeWhereAnExceptionEndsIt) {
  EXPECT_NE(run("exception").out.find("the program's own"), std::string::npos);
  const queries::RunRow row = queries::runs(report()).at(0);
  EXPECT_EQ(row.exit_code, 1);
  EXPECT_EQ(row.steps, 4);
}

TEST_F(OwnRecording, LeavesAnotherOneAloneAndSaysSo) {
  const auto result = run("warns");
  EXPECT_NE(result.out.find("is in progress"), std::string::npos) << result.out;
  EXPECT_FALSE(has("inner.ampprof"));
  EXPECT_EQ(queries::runs(report()).at(0).steps, 4);
}

TEST_F(OwnRecording, LeavesTheLauncherAloneAndSaysSo) {
  const auto result = run("warns", ampprof() + " run -o launched.ampprof -- ");
  EXPECT_NE(result.out.find("by ampprof run already"), std::string::npos) << result.out;
  EXPECT_FALSE(has("own.ampprof"));
  EXPECT_EQ(queries::runs(report("launched.ampprof")).at(0).steps, 4);
  EXPECT_TRUE(queries::runs(report("launched.ampprof")).at(0).complete);
}

TEST_F(OwnRecording, WithoutAnOpSaysSo) {
  EXPECT_NE(run("nothing").out.find("nothing was recorded"), std::string::npos);
}

TEST_F(OwnRecording, IsNotDisturbedByForks) {
  run("whole --workers 2 --start-method fork");
  expect_same(report(), launched("--impact --inherited", "--workers 2 --start-method fork"));
  run("fork");
  const auto ops = queries::ops(report());
  const auto sums = std::ranges::count_if(ops, [](const queries::OpRow& op) { return op.op == "sum"; });
  EXPECT_EQ(sums, 1) << "what the child calls is not recorded, what its parent calls after it ended is";
  EXPECT_TRUE(queries::runs(report()).at(0).complete);
}

TEST_F(OwnRecording, SeesOptimizersAndModulesThatWereThereBefore) {
  run("late");
  EXPECT_EQ(queries::runs(report()).at(0).steps, 3);
  const auto ops = queries::ops(report());
  const auto is_named = [](const queries::OpRow& op) { return op.phase == Phase::Backward && op.module == "conv"; };
  EXPECT_TRUE(std::ranges::any_of(ops, is_named));
  const auto is_update = [](const queries::OpRow& op) { return op.phase == Phase::Optimizer; };
  EXPECT_TRUE(std::ranges::any_of(ops, is_update));
}

TEST_F(OwnRecording, SaysThatRegionsCompiledBeforeAreNotSeen) {
  run("compiled_before");
  const auto missing = queries::missing(report());
  EXPECT_TRUE(std::ranges::any_of(missing, [](const queries::MissingRow& row) {
    return row.missing.what == "compiled regions" && row.missing.cause.find("before the first") != std::string::npos;
  }));
}

TEST_F(OwnRecording, IsToldWhereStepsEnd) {
  run("marks");
  EXPECT_GE(queries::runs(report()).at(0).steps, 5) << "without a word from the program it would be one";
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
  EXPECT_EQ(row.steps, 3);
}

TEST_F(OwnRecordingOfCpp, LeavesTheLauncherAloneAndSaysSo) {
  const auto result = run("own.ampprof", ampprof() + " run -o launched.ampprof -- ");
  EXPECT_NE(result.err.find("by ampprof run already"), std::string::npos) << result.err;
  EXPECT_FALSE(has("own.ampprof"));
  EXPECT_EQ(queries::runs(report("launched.ampprof")).at(0).steps, 3);
}

TEST_F(OwnRecordingOfCpp, WithoutAnAmpprofGivesASentence) {
  const auto result = run("own.ampprof", "PATH=/bin ");
  EXPECT_NE(result.out.find("There is no ampprof on the PATH"), std::string::npos) << result.out;
}

}  // namespace own_recording_test
}  // namespace ampprof::testing

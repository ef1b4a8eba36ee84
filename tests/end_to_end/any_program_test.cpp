// SPDX-License-Identifier: Apache-2.0
// Runs programs that do not use ampprof: plain C++, programs with another LibTorch version, programs without LibTorch.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/records/dtype.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace any_program_test {

std::set<std::string> modules_of(const std::vector<queries::OpRow>& ops, Phase phase) {
  std::set<std::string> modules;
  for (const auto& op : ops) {
    if (op.phase == phase) modules.insert(op.module);
  }
  return modules;
}

TEST(PlainProgram, IsRecordedForwardBackwardAndOptimizerWithModulePaths) {
  const TemporaryFolder folder;
  const auto result = run_command(ampprof() + " run -o r.ampprof -- " + program("plain_train") + " 4", folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "done\n");
  const queries::Report report(folder.path() / "r.ampprof");
  const auto runs = queries::runs(report);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_TRUE(runs[0].complete);
  EXPECT_EQ(runs[0].steps, 4);
  EXPECT_EQ(runs[0].exit_code, 0);
  EXPECT_GT(runs[0].peak_bytes.value_or(0), 0);

  const auto ops = queries::ops(report);
  const std::set<std::string> layers{"stem", "layer1.0.conv", "layer1.0.bn", "layer1.1.conv", "layer1.1.bn", "fc"};
  for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Optimizer}) {
    const auto found = modules_of(ops, phase);
    EXPECT_TRUE(std::ranges::includes(found, layers)) << "phase " << name_of(phase);
  }
  EXPECT_TRUE(std::ranges::any_of(ops, [](const queries::OpRow& op) {
    return op.op == "convolution_backward" && op.module == "layer1.1.conv";
  })) << "backward ops are not linked to their forward op";
  const auto conv =
      std::ranges::find_if(ops, [](const queries::OpRow& op) { return op.op == "conv2d" && op.module == "stem"; });
  ASSERT_NE(conv, ops.end());
  EXPECT_EQ(conv->calls, 4);
  EXPECT_EQ(conv->signature.substr(0, 12), "f32[8,1,8,8]");
  EXPECT_FALSE(conv->local) << "an FP32 call has no local error";
  ASSERT_TRUE(conv->ranges);
  EXPECT_GT(conv->ranges->amax, 0);
}

TEST(PlainProgram, IsCastAtO1ByInjection) {
  const TemporaryFolder folder;
  const auto result =
      run_command(ampprof() + " run -o r.ampprof --levels O0,O1 -- " + program("plain_train") + " 4", folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const queries::Report report(folder.path() / "r.ampprof");
  const auto runs = queries::runs(report);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].level, "O0");
  EXPECT_EQ(runs[1].level, "O1");
  const auto convolution = [&](std::int64_t run) {
    const auto ops = queries::ops(report, run);
    return *std::ranges::find_if(ops,
                                 [](const queries::OpRow& op) { return op.op == "conv2d" && op.module == "stem"; });
  };
  EXPECT_EQ(convolution(runs[0].run).dtype_out, DType::Float);
  EXPECT_EQ(convolution(runs[1].run).dtype_out, DType::Half);
  ASSERT_TRUE(convolution(runs[1].run).local);
  EXPECT_GT(convolution(runs[1].run).local->relative_l2(), 1e-5);
  EXPECT_LT(convolution(runs[1].run).local->relative_l2(), 1e-2);
}

TEST(PlainProgram, IsRecordedWhereProcessesShareNoMemory) {
  const TemporaryFolder folder;
  // Creates a folder under the name of SQLite's shared memory file.
  std::filesystem::create_directories(folder.path() / "r.ampprof-shm" / "in_use");
  const auto result =
      run_command(ampprof() + " run -o r.ampprof --levels O0,O1 -- " + program("plain_train") + " 4", folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "r.ampprof-wal"));
  const auto runs = queries::runs(queries::Report(folder.path() / "r.ampprof"));
  ASSERT_EQ(runs.size(), 2u);
  for (const queries::RunRow& run : runs) {
    EXPECT_TRUE(run.complete) << run.level;
    EXPECT_EQ(run.steps, 4) << run.level;
    EXPECT_EQ(run.exit_code, 0) << run.level;
  }
}

TEST(PlainProgram, WhoseReportIsFullKeepsTheNewestSteps) {
  const TemporaryFolder folder;
  const auto result = run_command(
      ampprof() + " run -o r.ampprof --max-report 6M -- " + program("plain_train") + " 3000", folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_LT(std::filesystem::file_size(folder.path() / "r.ampprof"), 6'000'000u);
  const queries::Report report(folder.path() / "r.ampprof");
  EXPECT_EQ(queries::runs(report)[0].steps, 3000);
  const auto ops = queries::ops(report);
  const auto conv =
      std::ranges::find_if(ops, [](const queries::OpRow& op) { return op.op == "conv2d" && op.module == "stem"; });
  ASSERT_NE(conv, ops.end());
  EXPECT_EQ(conv->calls, 3000);
  const auto missing = queries::missing(report);
  EXPECT_TRUE(std::ranges::any_of(missing, [](const auto& row) { return row.missing.what == "op calls one by one"; }));
  EXPECT_TRUE(queries::ops(report, {}, queries::StepSpan{1, 1}).empty());
  EXPECT_FALSE(queries::ops(report, {}, queries::StepSpan{3000, 3000}).empty());
}

TEST(PlainProgram, HasNoO2AndTheMessageNamesWhatThereIs) {
  const TemporaryFolder folder;
  const auto result =
      run_command(ampprof() + " run -o r.ampprof --levels O0,O2 -- " + program("plain_train"), folder.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("--what-if"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "r.ampprof"));
}

TEST(OtherProgram, LinkedToAnotherLibTorchIsRefusedBeforeItStarts) {
  const TemporaryFolder folder;
  const auto result = run_command(ampprof() + " run -o r.ampprof -- " AMPPROF_TEST_OTHER_TRAIN, folder.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("uses LibTorch 2.98.7"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("make torch TORCH=2.98.7"), std::string::npos) << result.err;
}

TEST(OtherProgram, WithoutLibTorchRunsAndTheReportSaysThatNothingWasSeen) {
  const TemporaryFolder folder;
  const auto result = run_command(ampprof() + " run -o r.ampprof -- /bin/echo hello", folder.path());
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "hello\n");
  EXPECT_FALSE(queries::missing(queries::Report(folder.path() / "r.ampprof")).empty());
}

TEST(OtherProgram, ThatCrashesKeepsItsReport) {
  const TemporaryFolder folder;
  const auto result = run_command(ampprof() + " run -o r.ampprof -- /bin/sh -c 'kill -SEGV $$'", folder.path());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("SIGSEGV"), std::string::npos) << result.err;
  const auto runs = queries::runs(queries::Report(folder.path() / "r.ampprof"));
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_FALSE(runs[0].complete);
  EXPECT_EQ(runs[0].exit_code, 139);
}

}  // namespace any_program_test
}  // namespace ampprof::testing

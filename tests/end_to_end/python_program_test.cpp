// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "reports/queries/events.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/records/dtype.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace python_program_test {

class PythonProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  }

  queries::Report record(const std::string& options, const std::string& arguments) {
    const auto result = run_command(
        ampprof() + " run --force -o r.ampprof " + options + " -- " + python() + " " + arguments, folder_.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return queries::Report(folder_.path() / "r.ampprof");
  }

  std::filesystem::path folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

const queries::OpRow* find(const std::vector<queries::OpRow>& ops, Phase phase, const std::string& module,
                           const std::string& op) {
  const auto found = std::ranges::find_if(
      ops, [&](const queries::OpRow& row) { return row.phase == phase && row.module == module && row.op == op; });
  return found == ops.end() ? nullptr : &*found;
}

TEST_F(PythonProgram, IsRecordedToItsEndWithItsModulePaths) {
  const queries::Report report = record("", script("train.py"));
  for (const queries::MissingRow& row : queries::missing(report)) {
    EXPECT_NE(row.missing.what, "what ampprof failed to look at") << row.missing.cause;
  }
  const auto ops = queries::ops(report);
  EXPECT_EQ(queries::runs(report)[0].steps, 4);
  EXPECT_TRUE(queries::runs(report)[0].complete);
  EXPECT_NE(find(ops, Phase::Forward, "conv", "conv2d"), nullptr);
  EXPECT_NE(find(ops, Phase::Forward, "bn", "batch_norm"), nullptr);
  EXPECT_NE(find(ops, Phase::Backward, "conv", "convolution_backward"), nullptr);
  EXPECT_TRUE(std::ranges::any_of(ops, [](const queries::OpRow& op) { return op.phase == Phase::Optimizer; }));
  EXPECT_TRUE(std::ranges::any_of(ops, [](const queries::OpRow& op) { return op.phase == Phase::Inference; }));
}

TEST_F(PythonProgram, AutocastAndGradScalerAreUnderstood) {
  const queries::Report report = record("", script("train.py") + " --amp --steps 6 --init-scale 1e38");
  const auto ops = queries::ops(report);
  const queries::OpRow* conv = find(ops, Phase::Forward, "conv", "conv2d");
  ASSERT_NE(conv, nullptr);
  EXPECT_EQ(conv->dtype_out, DType::Half);
  EXPECT_TRUE(conv->local);

  const auto events = queries::events(report);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events[0].step, 1);
  EXPECT_TRUE(events[0].skipped);
  EXPECT_EQ(events[0].scale_after, events[0].scale_before / 2);
  ASSERT_FALSE(events[0].parameters.empty());
  EXPECT_TRUE(std::ranges::any_of(events[0].parameters, [](const auto& p) { return p.name == "conv.weight"; }));
  EXPECT_EQ(queries::runs(report)[0].steps, 6) << "a skipped update ends a step too";
  EXPECT_EQ(queries::runs(report)[0].skipped_steps, 6);
}

// The suite Launcher covers spawned workers.
TEST_F(PythonProgram, WorkersRunUndisturbedAndNeverTouchTheReport) {
  const queries::Report report = record("", script("train.py") + " --workers 2 --start-method fork");
  EXPECT_TRUE(queries::runs(report)[0].complete);
  EXPECT_EQ(queries::runs(report)[0].steps, 4);
}

/// Makes a TorchScript file, once for all tests.
class TorchScriptProgram : public PythonProgram {
 protected:
  void SetUp() override {
    PythonProgram::SetUp();
    if (IsSkipped()) return;
    static const std::string model = [] {
      const TemporaryFolder folder;
      const auto made = run_command(python() + " " + script("make_model.py") + " model.pt", folder.path());
      EXPECT_EQ(made.exit_code, 0) << made.err;
      return bytes_of(folder.path() / "model.pt");
    }();
    ASSERT_FALSE(model.empty());
    std::ofstream(folder() / "model.pt", std::ios::binary) << model;
  }
};

TEST_F(TorchScriptProgram, RunsThroughTheRunner) {
  for (const char* train : {"", " --train"}) {
    const auto result =
        run_command(ampprof() + " run --force -o r.ampprof model.pt --input f32[8,3,8,8]" + train, folder());
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const queries::Report report(folder() / "r.ampprof");
    const auto ops = queries::ops(report);
    EXPECT_TRUE(queries::runs(report)[0].complete);
    EXPECT_TRUE(std::ranges::any_of(
        ops, [](const queries::OpRow& op) { return op.module == "layers.0" && op.op.starts_with("conv"); }));
    const bool backward = std::ranges::any_of(
        ops, [](const queries::OpRow& op) { return op.phase == Phase::Backward && op.module == "layers.0"; });
    EXPECT_EQ(backward, std::string(train) != "");
  }
}

TEST_F(TorchScriptProgram, IsCastToFp16AtO1) {
  const auto result =
      run_command(ampprof() + " run -o r.ampprof --levels O1 model.pt --input f32[8,3,8,8] --train", folder());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto ops = queries::ops(queries::Report(folder() / "r.ampprof"));
  const auto conv = std::ranges::find_if(ops, [](const queries::OpRow& op) { return op.op.starts_with("conv"); });
  ASSERT_NE(conv, ops.end());
  EXPECT_EQ(conv->dtype_out, DType::Half);
  EXPECT_TRUE(std::ranges::none_of(ops, [](const queries::OpRow& op) { return op.dtype_out == DType::BFloat16; }))
      << "TorchScript's own autocast pass was at work";
}

TEST_F(PythonProgram, AnUnreadableModelGivesASentence) {
  for (const char* make : {"echo garbage > model.pt", "true"}) {
    const auto result =
        run_command(std::string(make) + "; " + ampprof() + " run -o r.ampprof model.pt --input f32[1]", folder());
    EXPECT_EQ(result.exit_code, 2) << make;
    EXPECT_NE(result.err.find("model.pt"), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder() / "r.ampprof"));
  }
}

}  // namespace python_program_test
}  // namespace ampprof::testing

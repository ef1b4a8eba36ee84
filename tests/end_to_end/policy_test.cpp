// SPDX-License-Identifier: Apache-2.0
// Tests `ampprof run --policy`: a rule changes types in the report, in programs with and without amp_core.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/run_names.h"
#include "reports/records/dtype.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace policy_test {

class Policy : public ::testing::Test {
 protected:
  CommandResult run(const std::string& policy, const std::string& levels, const std::string& command) {
    std::ofstream(folder_.path() / "p.amp") << policy;
    return run_command(ampprof() + " run --force -o r.ampprof --policy p.amp " + levels + " " + command,
                       folder_.path());
  }

  queries::Report record(const std::string& policy, const std::string& levels, const std::string& command) {
    const auto result = run(policy, levels, command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return queries::Report(folder_.path() / "r.ampprof");
  }

  bool has_report() const { return std::filesystem::exists(folder_.path() / "r.ampprof"); }

 private:
  TemporaryFolder folder_;
};

/// Returns the result type of a module's forward op in the last run.
DType type_of(const queries::Report& report, const std::string& op, const std::string& module) {
  const auto ops = queries::ops(report, queries::runs_named(report).back().id);
  const auto found = std::ranges::find_if(ops, [&](const queries::OpRow& row) {
    return row.phase == Phase::Forward && row.op == op && row.module == module;
  });
  if (found == ops.end()) {
    ADD_FAILURE() << op << " in " << module << " was not seen";
    return DType::Unknown;
  }
  return found->dtype_out;
}

TEST_F(Policy, IsFollowedByAPlainProgramByInjection) {
  const queries::Report report =
      record("conv2d fp32 in layer1.1\nlinear fp32 in fc\n", "--levels O0,O1", "-- " + program("plain_train") + " 2");
  EXPECT_EQ(type_of(report, "conv2d", "stem"), DType::Half);
  EXPECT_EQ(type_of(report, "conv2d", "layer1.0.conv"), DType::Half);
  EXPECT_EQ(type_of(report, "conv2d", "layer1.1.conv"), DType::Float);
  EXPECT_EQ(type_of(report, "addmm", "fc"), DType::Float) << "what torch::nn::Linear calls";
}

TEST_F(Policy, MayChooseBf16AndTheNativeList) {
  const queries::Report report =
      record("use native\nlow_type bf16\n", "--levels O1", "-- " + program("plain_train") + " 2");
  EXPECT_EQ(type_of(report, "conv2d", "stem"), DType::BFloat16);
}

TEST_F(Policy, IsFollowedByAPythonProgram) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const queries::Report report = record("linear fp32 in head.1\ncross_entropy fp16\n", "--levels O0,O1",
                                        "-- " + python() + " " + script("plain_net.py"));
  EXPECT_EQ(type_of(report, "conv2d", "conv"), DType::Half);
  EXPECT_EQ(type_of(report, "linear", "head.0"), DType::Half);
  EXPECT_EQ(type_of(report, "linear", "head.1"), DType::Float);
  EXPECT_EQ(type_of(report, "cross_entropy_loss", ""), DType::Half);
}

TEST_F(Policy, IsFollowedByAProgramWithAmpCore) {
  const queries::Report report = record("linear fp32\n", "--levels O1", "sample:mlp --steps 2");
  const auto ops = queries::ops(report, queries::runs_named(report).back().id);
  const auto is_matmul = [](const queries::OpRow& row) { return row.phase == Phase::Forward && row.op == "addmm"; };
  ASSERT_TRUE(std::ranges::any_of(ops, is_matmul));
  for (const auto& row : ops) {
    if (!is_matmul(row)) continue;
    EXPECT_EQ(row.dtype_out, DType::Float) << row.module;
  }
}

TEST_F(Policy, ThatIsWrongIsRefusedBeforeTheProgramStarts) {
  for (const auto& [text, says] : {std::pair("linear fp33\n", "p.amp:1: "),
                                   std::pair("mm fp32\nsofmax fp32\n", " has no op sofmax. Did you mean softmax"),
                                   std::pair("use torch\n", "\"use apex\", \"use native\"")}) {
    const auto result = run(text, "--levels O1", "-- " + program("plain_train"));
    EXPECT_EQ(result.exit_code, 2) << text;
    EXPECT_NE(result.err.find(says), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(has_report());
  }
}

TEST_F(Policy, ThatIsNotThereIsNamed) {
  const auto result = run("", "--policy nowhere.amp --levels O1", "-- " + program("plain_train"));
  EXPECT_EQ(result.exit_code, 2);
}

TEST_F(Policy, NeedsALevelThatFollowsItWhereLevelsAreNamed) {
  const auto result = run("linear fp32\n", "--levels O0", "-- " + program("plain_train"));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("--levels O0,O1"), std::string::npos) << result.err;
  EXPECT_FALSE(has_report());
}

TEST_F(Policy, OfAMissingOpIsReportedInTheReport) {
  const queries::Report report = record("mylib::op fp32\n", "--levels O1", "-- " + program("plain_train") + " 2");
  EXPECT_EQ(type_of(report, "conv2d", "stem"), DType::Float) << "the casts are left out as a whole";
  const auto missing = queries::missing(report);
  EXPECT_TRUE(std::ranges::any_of(missing, [](const auto& row) { return row.missing.what == "casts of O1"; }));
}

TEST_F(Policy, OfAMissingModuleIsReportedAfterTheRun) {
  const auto result =
      run("linear fp32 in fcc\nconv2d fp32 in stem\n", "--levels O1", "-- " + program("plain_train") + " 2");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("no op was called in a module named fcc"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("Did you mean fc?"), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("in a module named stem"), std::string::npos) << result.err;
}

}  // namespace policy_test
}  // namespace ampprof::testing

// SPDX-License-Identifier: Apache-2.0
// Tests `ampprof run --recipe`: programs with and without amp_core train under the recipe, rules name formats and
// single matmuls, and impossible requests fail before the program starts.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/records/dtype.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace recipe_test {

class RecipeOfARun : public ::testing::Test {
 protected:
  CommandResult run(const std::string& flags, const std::string& command) {
    return run_command(ampprof() + " run --force -o r.ampprof " + flags + " " + command, folder_.path());
  }

  queries::Report record(const std::string& flags, const std::string& command) {
    const auto result = run(flags, command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    err_ = result.err;
    out_ = result.out;
    return queries::Report(folder_.path() / "r.ampprof");
  }

  void write(const std::string& file, const std::string& text) { std::ofstream(folder_.path() / file) << text; }
  bool has_report() const { return std::filesystem::exists(folder_.path() / "r.ampprof"); }

  std::string out_, err_;

 private:
  TemporaryFolder folder_;
};

/// Returns the relative error of a module's forward op in the last run, or 0 if no error was measured.
double error_of(const queries::Report& report, const std::string& op, const std::string& module) {
  const auto ops = queries::ops(report, queries::runs(report).back().run);
  const auto found = std::ranges::find_if(ops, [&](const queries::OpRow& row) {
    return row.phase == Phase::Forward && row.op == op && row.module == module;
  });
  if (found == ops.end()) {
    ADD_FAILURE() << op << " in " << module << " was not seen";
    return 0;
  }
  return found->local ? found->local->relative_l2() : 0;
}

/// Expects an error as large as that of FP8 or FP4 operands. Wider types have smaller errors.
void expect_quantized(double error) {
  EXPECT_GT(error, 0.01);
  EXPECT_LT(error, 0.3);
}

std::string wide_net(const std::string& argument = "") {
  return "-- " + python() + " " + script("wide_net.py") + " " + argument;
}

class RecipeOfAPythonRun : public RecipeOfARun {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  }

  static std::string plain_output() { return run_once(python() + " " + script("wide_net.py")).out; }
};

TEST_F(RecipeOfAPythonRun, IsFollowedByInjection) {
  for (const std::string& recipe : test_support::with_repetitions<std::string>({"nvfp4"}, {"fp8_current", "mxfp8"})) {
    const queries::Report report = record("--recipe " + recipe, wide_net());
    expect_quantized(error_of(report, "linear", "body.0"));
    expect_quantized(error_of(report, "linear", "body.2"));
    expect_quantized(error_of(report, "conv2d", "conv"));
    EXPECT_EQ(error_of(report, "linear", "head"), 0) << "10 rows are not a multiple of 16";
    EXPECT_NE(err_.find("amp: The recipe " + recipe + " leaves head (linear) unchanged: "), err_.npos) << err_;
    EXPECT_NE(out_, plain_output());
  }
}

TEST_F(RecipeOfAPythonRun, CountsInItsOwnAutocast) {
  const queries::Report report = record("--recipe mxfp8", wide_net("bf16"));
  expect_quantized(error_of(report, "linear", "body.0"));
  const auto ops = queries::ops(report, queries::runs(report).back().run);
  for (const queries::OpRow& row : ops) {
    if (row.phase != Phase::Forward || row.op != "linear") continue;
    EXPECT_EQ(row.dtype_out, DType::BFloat16) << row.module;
  }
}

TEST_F(RecipeOfAPythonRun, RunsAtO1OverBf16) {
  const queries::Report report = record("--recipe mxfp8 --levels O1 --type bf16", wide_net());
  EXPECT_NE(queries::runs(report).back().settings_json.find("\"recipes\":\"mxfp8\""), std::string::npos);
  expect_quantized(error_of(report, "linear", "body.0"));
}

TEST_F(RecipeOfAPythonRun, ThatQuantizesNothingHasTheBitsOfThePlainRun) {
  write("p.amp", "body bf16\nconv2d bf16\n");
  const queries::Report report = record("--recipe mxfp8 --policy p.amp", wide_net());
  EXPECT_EQ(error_of(report, "linear", "body.0"), 0);
  EXPECT_EQ(out_, plain_output());
}

TEST_F(RecipeOfAPythonRun, HasAnotherFormatWhereARuleNamesIt) {
  write("p.amp", "body.0 nvfp4\nlinear fprop bf16 in body.2\nconv fprop mxfp8\n");
  const queries::Report report = record("--policy p.amp --recipe fp8_current", wide_net());
  EXPECT_GT(error_of(report, "linear", "body.0"), 0.08) << "four bits";
  EXPECT_EQ(error_of(report, "linear", "body.2"), 0) << "its backward is quantized alone";
  EXPECT_LT(error_of(report, "conv2d", "conv"), 0.05) << "eight bits";
  EXPECT_NE(out_, plain_output());
}

TEST_F(RecipeOfAPythonRun, WithoutAMatmulInItIsReported) {
  const queries::Report report = record("--recipe mxfp8", "-- " + python() + " " + script("plain_net.py"));
  const auto missing = queries::missing(report);
  EXPECT_TRUE(std::ranges::any_of(missing, [](const auto& row) { return row.missing.what == "the recipe"; }));
}

TEST_F(RecipeOfAPythonRun, MayBeAFile) {
  write("mine.recipe",
        "name mine\nfprop input fp8e5m2 scale tensor\nfprop weight fp8e5m2 scale tensor\ndgrad grad_output bf16\n"
        "dgrad weight bf16\nwgrad input bf16\nwgrad grad_output bf16\n");
  const queries::Report report = record("--recipe mine.recipe", wide_net());
  expect_quantized(error_of(report, "linear", "head"));
}

TEST_F(RecipeOfARun, IsFollowedByAProgramWithAmpCore) {
  for (const char* flags : {"--levels O0", "--levels O1 --type bf16"}) {
    const queries::Report report = record("--recipe mxfp8 " + std::string(flags), "sample:transformer --steps 2");
    const auto ops = queries::ops(report, queries::runs(report).back().run);
    const auto is_quantized = [](const queries::OpRow& row) {
      return row.phase == Phase::Forward && row.local && row.local->relative_l2() > 0.01 &&
             (row.op == "addmm" || row.op == "matmul" || row.op == "linear");
    };
    EXPECT_GE(std::ranges::count_if(ops, is_quantized), 4) << flags;
  }
}

TEST_F(RecipeOfARun, ThatCannotBeIsRefusedBeforeTheProgramStarts) {
  write("bad.recipe", "name bad\nfprop input fp9\n");
  write("p.amp", "linear mxfp9\n");
  for (const auto& [flags, says] :
       {std::pair("--recipe mxfp9", "--recipe: Unknown recipe \"mxfp9\"; use "),
        std::pair("--recipe nvfp4,fast", "has no switch \"fast\""),
        std::pair("--recipe nowhere/my.recipe", "cannot be read"), std::pair("--recipe bad.recipe", "bad.recipe:2: "),
        std::pair("--recipe mxfp8 --levels O0,O2", "because O2 converts the model"),
        std::pair("--recipe mxfp8 --inherited", "--inherited is not supported"),
        std::pair("--recipe mxfp8 --policy p.amp", "p.amp:1: Unknown recipe \"mxfp9\"")}) {
    const auto result = run(flags, "sample:mlp");
    EXPECT_EQ(result.exit_code, 2) << flags;
    EXPECT_NE(result.err.find(says), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(has_report());
  }
}

}  // namespace recipe_test
}  // namespace ampprof::testing

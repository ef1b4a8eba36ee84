// SPDX-License-Identifier: Apache-2.0
// Tests drift of tensors that outlive steps. A Python program updates each of them in a different way.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reports/queries/drifts.h"
#include "reports/queries/missing.h"
#include "reports/queries/report.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace drift_test {

constexpr int kSteps = 40;

class DriftTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
    static const std::vector<queries::DriftRow> recorded = record();
    rows_ = recorded;
  }

  /// Returns the drift of a parameter's tensor with a role. If `op` is given, the row's op has to contain it.
  Drift of(const std::string& parameter, DriftRole role, const std::string& op = "") const {
    for (const queries::DriftRow& row : rows_) {
      const bool is_asked = row.of.parameter == parameter && row.of.role == role;
      if (is_asked && row.op.find(op) != std::string::npos) return row.of;
    }
    ADD_FAILURE() << "no row of " << name_of(role) << " " << parameter << " " << op;
    return {};
  }
  DriftClass class_of(const std::string& parameter, DriftRole role = DriftRole::Parameter) const {
    return of(parameter, role).verdict;
  }

  static std::string missing_;
  std::vector<queries::DriftRow> rows_;

 private:
  static std::vector<queries::DriftRow> record() {
    const TemporaryFolder folder;
    const CommandResult plain = run_command(python() + " " + script("drift.py"), folder.path());
    const CommandResult result = run_command(
        ampprof() + " run -o r.ampprof --inherited -- " + python() + " " + script("drift.py"), folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, plain.out) << "recording must not change the program";
    const queries::Report report(folder.path() / "r.ampprof");
    for (const queries::MissingRow& row : queries::missing(report)) missing_ += row.missing.what + "\n";
    return queries::drifts(report);
  }
};

std::string DriftTest::missing_;

TEST_F(DriftTest, UpdatesBelowHalfAnUlpAreLost) {
  const Drift plain = of("plain", DriftRole::Parameter);
  EXPECT_EQ(plain.verdict, DriftClass::Lost);
  EXPECT_EQ(plain.segments, kSteps);
  EXPECT_EQ(plain.dtype, DType::BFloat16);
  EXPECT_EQ(plain.elements, 600);
  EXPECT_EQ(plain.sampled, 600);
  EXPECT_LT(plain.bias, -0.5);
  EXPECT_GT(plain.way, plain.way_of_run);
  EXPECT_EQ(class_of("single"), DriftClass::Fine) << "the same in FP32";
}

TEST_F(DriftTest, WhatACompensationKeepsIsNotLost) {
  const Drift kahan = of("kahan", DriftRole::Parameter);
  EXPECT_EQ(kahan.verdict, DriftClass::Compensated);
  EXPECT_LT(kahan.effective.value_or(1.0), 0.05);
  EXPECT_EQ(class_of("kahan", DriftRole::State), DriftClass::Residue);
}

TEST_F(DriftTest, RandomRoundingIsUnbiased) {
  const Drift random = of("random", DriftRole::Parameter);
  EXPECT_EQ(random.verdict, DriftClass::Unbiased);
  EXPECT_GT(random.drift, 0.01) << "its bits must be followed through integers";
  EXPECT_LT(std::abs(random.bias), 0.05);
}

TEST_F(DriftTest, OptimizersOfListsAndFusedOnesAreFollowed) {
  for (const char* name : {"listed", "fused"}) {
    const Drift weight = of(name, DriftRole::Parameter);
    EXPECT_EQ(weight.verdict, DriftClass::Lost) << name;
    EXPECT_EQ(weight.segments, kSteps) << name;
    EXPECT_EQ(weight.restarts, 0) << name;
  }
  EXPECT_NEAR(of("listed", DriftRole::Parameter).way / of("fused", DriftRole::Parameter).way, 1.0, 0.02)
      << "both compute AdamW";
}

TEST_F(DriftTest, GradientsThatAddUpAreJudgedBeforeTheyAreUsed) {
  const Drift gradient = of("added", DriftRole::Gradient);
  EXPECT_EQ(gradient.segments, 19) << "the first pass adds to nothing";
  EXPECT_EQ(gradient.tensors, kSteps) << "each step zeroes it: another life";
  EXPECT_GT(gradient.relative, 1e-4);
}

TEST_F(DriftTest, ATensorThatIsReplacedEachTimeIsFollowed) {
  EXPECT_EQ(class_of("rebound", DriftRole::State), DriftClass::Lost) << "p.data = p.data - rate * p.grad";
  const auto sums = std::ranges::count_if(rows_, [](const queries::DriftRow& row) {
    const bool is_short = row.of.verdict == DriftClass::Biased || row.of.verdict == DriftClass::Lost;
    return row.of.parameter.empty() && row.of.elements == 1 && row.of.dtype == DType::BFloat16 && is_short;
  });
  EXPECT_EQ(sums, 2) << "running += x, and sum = sum + x";
}

TEST_F(DriftTest, ATensorWrittenInPartsIsReportedAsMissing) {
  EXPECT_NE(missing_.find("drift of tensors"), std::string::npos) << missing_;
}

}  // namespace drift_test
}  // namespace ampprof::testing

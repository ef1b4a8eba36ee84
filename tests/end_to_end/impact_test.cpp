// SPDX-License-Identifier: Apache-2.0
// Tests the loss impact of errors, in real runs and in predicted ones (--what-if).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "reports/queries/casts.h"
#include "reports/queries/impacts.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/queries/updates.h"
#include "reports/records/impact_estimate.h"
#include "reports/records/loss_impact.h"
#include "reports/records/op_call.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace impact_test {

/// Runs a sample, which must succeed, and holds the output and the report.
struct Recorded {
  Recorded(const TemporaryFolder& folder, const std::string& options, const std::string& sample)
      : result(run_command(ampprof() + " run --force -o r.ampprof " + options + " sample:" + sample + " --threads 1",
                           folder.path())),
        report(folder.path() / "r.ampprof") {
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }

  CommandResult result;
  queries::Report report;
};

double sum_of_impacts(const queries::Report& report) {
  double sum = 0.0;
  for (const queries::ImpactRow& row : queries::impacts(report)) sum += row.impact.value_or(0.0);
  return sum;
}

/// Returns the forward and backward calls whose error was measured.
std::vector<queries::OpRow> judged(const queries::Report& report) {
  std::vector<queries::OpRow> ops = queries::ops(report);
  std::erase_if(ops, [](const queries::OpRow& op) { return !op.local || op.phase == Phase::Optimizer; });
  return ops;
}

double median_error(const queries::Report& report) {
  std::vector<double> errors;
  for (const queries::OpRow& op : judged(report)) {
    if (op.local->relative_l2() > 0) errors.push_back(op.local->relative_l2());
  }
  EXPECT_GT(errors.size(), 10u);
  std::ranges::sort(errors);
  return errors.empty() ? NAN : errors[errors.size() / 2];
}

class Impact : public ::testing::TestWithParam<const char*> {};

/// Returns the relative deviation between the summed impacts of a first step and the true effect of mixed precision on
/// the loss. The run measures the true effect itself, with the same weights and batch in FP64.
double deviation(const std::string& level, int seed) {
  const TemporaryFolder folder;
  const Recorded run(folder, "--impact --no-inherited",
                     "mnist_cnn --steps 1 --truth-step 1 --opt-level " + level + " --seed " + std::to_string(seed));
  const auto at = run.result.out.find("truth step");
  double truth = NAN;
  EXPECT_TRUE(at != std::string::npos &&
              std::sscanf(run.result.out.c_str() + at, "truth step %*d loss64 %lf", &truth) == 1);
  const double change = queries::runs(run.report).at(0).final_loss.value() - truth;
  return std::abs(sum_of_impacts(run.report) / change - 1.0);
}

// A single seed may deviate if errors cancel. bench_impact runs many seeds, models, and trained weights.
TEST_P(Impact, AddsUpToWhatMixedPrecisionDidToTheLoss) {
  // O2 has all sources of rounding that O1 and O3 have: operands, parameters and the batch.
  if (GetParam() != std::string("O2")) AMPPROF_REPETITION();
  std::vector<double> deviations;
  for (int seed = 1; seed <= 5; ++seed) deviations.push_back(deviation(GetParam(), seed));
  std::ranges::sort(deviations);
  EXPECT_LT(deviations[2], 0.06) << ::testing::PrintToString(deviations);
}

void expect_rows_of_what_is_rounded(const std::vector<queries::ImpactRow>& rows, const std::string& level) {
  const auto of = [&](ImpactSource source) {
    return std::ranges::count_if(rows, [&](const queries::ImpactRow& row) { return row.source == source; });
  };
  EXPECT_GE(of(ImpactSource::OpCall), 3);
  EXPECT_EQ(of(ImpactSource::Parameter), level == "O1" ? 0 : 6) << "weights and biases of three layers";
  EXPECT_EQ(of(ImpactSource::Input), level == "O1" ? 0 : 1);
  for (const queries::ImpactRow& row : rows) {
    const bool has_no_master = level == "O3" && row.source == ImpactSource::Parameter;
    EXPECT_EQ(row.impact.has_value(), !has_no_master) << row.name;
    EXPECT_EQ(row.gap, has_no_master ? ImpactGap::NoMaster : ImpactGap::None) << row.name;
    // The row of an exact call may lack the first step, in whose graph the call may have a different ordinal.
    if (row.impact == 0.0) continue;
    EXPECT_EQ(has_no_master ? row.gaps : row.steps, 3) << row.name;
  }
}

void expect_squares_of_what_is_rounded(const std::vector<queries::ImpactRow>& rows, bool casts) {
  bool has_operands = false;
  double changes = 0.0, squares = 0.0;
  for (const queries::ImpactRow& row : rows) {
    if (row.gap == ImpactGap::NoMaster) continue;
    EXPECT_TRUE(row.estimate().has_value()) << row.name;
    const bool is_call = row.source == ImpactSource::OpCall;
    if (is_call && row.squares.weight.value_or(0) > 0) has_operands = true;
    if (is_call && !casts) {
      EXPECT_EQ(row.squares.weight, std::nullopt) << row.name << " takes half weights as they are";
    }
    for (const StepImpact& step : row.by_step) {
      changes += step.change * step.change;
      squares += step.square.value_or(0.0);
    }
  }
  EXPECT_EQ(has_operands, casts);
  EXPECT_GT(squares, 0.0);
  EXPECT_GT(changes / squares, 0.05) << "signed changes are far smaller than roundings let expect";
  EXPECT_LT(changes / squares, 8.0);
}

TEST_P(Impact, HasRowsForWhateverIsRoundedAndKnowsHow) {
  const std::string level = GetParam();
  const TemporaryFolder folder;
  const Recorded run(folder, "--impact --no-inherited", "mlp --steps 3 --batch-size 8 --opt-level " + level);
  const auto rows = queries::impacts(run.report);
  expect_rows_of_what_is_rounded(rows, level);
  expect_squares_of_what_is_rounded(rows, /*casts=*/level == "O1");
}

INSTANTIATE_TEST_SUITE_P(Levels, Impact, ::testing::Values("O1", "O2", "O3"));

// In C++, `1 - x` fills an FP16 tensor with ones, which has no gradient, and subtracts x in place. The first steps
// overflow.
TEST(ImpactOfInputs, EndsWhereAnotherResultIsWrittenOverThem) {
  const TemporaryFolder folder;
  const Recorded run(folder, "--impact --no-inherited", "segmentation --batch-size 1 --steps 3 --opt-level O1");
  bool has_inputs = false;
  for (const queries::ImpactRow& row : queries::impacts(run.report)) {
    if (row.source != ImpactSource::BeforeGradients) continue;
    has_inputs = has_inputs || row.impact.has_value();
    EXPECT_LT(std::abs(row.impact.value_or(0.0)), 0.01) << row.name;
  }
  EXPECT_TRUE(has_inputs);
}

TEST(ImpactMemory, BeyondItCallSitesAreSampled) {
  const TemporaryFolder folder;
  const Recorded run(folder, "--impact --no-inherited --impact-memory 4k",
                     "mlp --steps 12 --batch-size 8 --opt-level O1");
  const auto rows = queries::impacts(run.report);
  EXPECT_FALSE(rows.empty());
  EXPECT_TRUE(std::ranges::any_of(rows, [](const queries::ImpactRow& row) { return row.steps < row.calls; }));
  const auto missing = queries::missing(run.report);
  EXPECT_TRUE(std::ranges::any_of(
      missing, [](const queries::MissingRow& row) { return row.missing.what == "loss impact of op calls"; }));
}

TEST(WhatIfTypes, CoarserTypesLoseMore) {
  const auto error_in = [](const std::string& type) {
    const TemporaryFolder folder;
    const Recorded run(folder, "--what-if " + type, "mlp --no-amp --steps 2 --batch-size 8");
    EXPECT_EQ(queries::runs(run.report).at(0).what_if, type);
    return median_error(run.report);
  };
  const double half = error_in("fp16");
  const double bfloat = error_in("bf16");
  EXPECT_GT(half, 0x1p-13);
  EXPECT_LT(half, 0x1p-10);
  EXPECT_NEAR(bfloat / half, 8.0, 3.0) << "three bits of mantissa less";
  EXPECT_LE(error_in("tf32"), half) << "its matmuls come out in FP32";
}

TEST(WhatIfImpact, PredictsWhatO1WouldDoToTheLoss) {
  const TemporaryFolder folder;
  const Recorded run(folder, "--what-if fp16 --impact --assume-scale 1024", "mlp --no-amp --steps 2 --batch-size 8");
  EXPECT_EQ(queries::runs(run.report).at(0).assume_scale, 1024.0);
  EXPECT_GT(std::abs(sum_of_impacts(run.report)), 1e-8);
  bool has_backward = false;
  for (const queries::OpRow& op : judged(run.report)) {
    if (op.phase != Phase::Backward || !op.scale) continue;
    has_backward = true;
    EXPECT_EQ(op.scale, 1024.0) << op.call_site;
  }
  EXPECT_TRUE(has_backward);
}

TEST(Casts, AreOnTheCallThatNeededThem) {
  const TemporaryFolder folder;
  const Recorded run(folder, "--no-impact --no-inherited", "mlp --steps 2 --batch-size 8 --opt-level O1");
  std::int64_t casts = 0;
  for (const queries::CastRow& row : queries::casts(run.report)) {
    casts += row.total.casts;
    EXPECT_GT(row.total.bytes + row.total.cache_hits, 0) << row.call_site;
    EXPECT_EQ(row.total.rounded_twice, 0) << row.call_site;
    EXPECT_NE(row.total.from, row.total.to) << row.call_site;
  }
  EXPECT_GE(casts, 2 * 3 * 3) << "input, weight and bias of three layers in two steps";
}

TEST(WeightUpdates, AreLostInHalfWeightsAndNotInFp32Ones) {
  const auto share_lost = [](const std::string& level) {
    const TemporaryFolder folder;
    const Recorded run(folder, "--no-impact --no-inherited", "mlp --steps 3 --batch-size 8 --opt-level " + level);
    double lost = 0.0, count = 0.0;
    for (const queries::UpdateRow& row : queries::updates(run.report)) {
      EXPECT_TRUE(row.total.lost.has_value()) << row.total.parameter;
      lost += static_cast<double>(row.total.lost.value_or(0));
      count += static_cast<double>(row.total.count);
    }
    EXPECT_GT(count, 0) << level;
    return lost / count;
  };
  const double in_half = share_lost("O3");
  EXPECT_GT(in_half, 0.05);
  EXPECT_LT(share_lost("O1"), in_half / 10);
}

TEST(Masks, DoNotRaiseAnAlarm) {
  const TemporaryFolder folder;
  const Recorded run(folder, "--no-impact --no-inherited", "transformer --steps 2 --opt-level O1");
  EXPECT_EQ(queries::runs(run.report).at(0).nonfinite_ops, 0);
  const auto ops = queries::ops(run.report);
  const auto mask =
      std::ranges::find_if(ops, [](const queries::OpRow& op) { return op.op.starts_with("masked_fill"); });
  ASSERT_NE(mask, ops.end());
  EXPECT_GT(mask->ranges.value().nonfinite, 0) << "it is counted all the same";
  EXPECT_TRUE(mask->nonfinite_expected);
}

}  // namespace impact_test
}  // namespace ampprof::testing

// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/recipes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reports/queries/gradient_impacts.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/records/batch.h"
#include "reports/records/loss_impact.h"
#include "reports/records/recipe_matmul.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace recipes_test {

using testing_reports::call;
using testing_reports::segment;
using testing_reports::site;
using testing_reports::start_of;
using testing_reports::TemporaryFolder;

constexpr std::int64_t kForward = 1, kBackward = 2;

RecipeMatmul matmul_of(std::int64_t step, Matmul matmul, std::int64_t computed_by) {
  return {.segment = step,
          .recipe = "mxfp8",
          .call_site = kForward,
          .matmul = matmul,
          .computed_by = computed_by,
          .rows = 8,
          .columns = 4,
          .leading = 16,
          .calls = 1,
          .first = {.count = 64, .flushed = 16, .amax = 2.0, .sum_sq = 100.0, .sum_sq_error = 1.0},
          .second = {.count = 32, .saturated = 8, .amax = 1.0, .sum_sq = 10.0, .sum_sq_error = 1.0},
          .sum_sq_error = 0.5,
          .sum_sq_exact = 2.0};
}

/// Returns two steps of a layer. Its backward is one call with two matmuls, as for a convolution.
Batch two_steps() {
  Batch batch;
  batch.signatures = {{1, "f32[8,4] f32[3,4]"}};
  batch.call_sites = {site(kForward, Phase::Forward, "fc", "linear"),
                      site(kBackward, Phase::Backward, "fc", "convolution_backward")};
  for (std::int64_t step = 1; step <= 2; ++step) {
    batch.segments.push_back(segment(step, step, step * 10, step * 10 + 5));
    batch.calls.push_back(call(step, kForward));
    batch.calls.push_back(call(step, kBackward));
    batch.decreases.push_back({.segment = step, .before = 5.0, .after = 3.0});
    batch.recipe_matmuls.push_back(matmul_of(step, Matmul::Fprop, kForward));
    batch.recipe_matmuls.push_back(matmul_of(step, Matmul::Dgrad, kBackward));
    batch.recipe_matmuls.push_back(matmul_of(step, Matmul::Wgrad, kBackward));
    const double change = step == 1 ? 0.5 : 0.25;
    LossImpact impact{};
    impact.segment = step;
    impact.call_site = kForward;
    impact.impact = change;
    impact.squares = {.activation = 0.75, .weight = 0.25};
    batch.impacts.push_back(impact);
    batch.gradient_impacts.push_back(
        {.segment = step, .call_site = kBackward, .matmul = Matmul::Dgrad, .impact = -change, .square = 0.25});
    batch.gradient_impacts.push_back(
        {.segment = step, .call_site = kBackward, .matmul = Matmul::Wgrad, .impact = 2 * change, .square = 4.0});
  }
  return batch;
}

struct RecipeRows : testing::Test {
  queries::Report written(const Batch& batch) {
    store::create_report(path, false);
    store::ReportWriter writer(path);
    writer.append(writer.begin_run(start_of("O0")), batch);
    return queries::Report(path);
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "r.ampprof";
};

TEST_F(RecipeRows, AreReadAsTheyWereWritten) {
  Batch batch = two_steps();
  batch.recipe_matmuls.resize(1);
  batch.recipe_matmuls[0].has_hardware = false;
  batch.recipe_matmuls[0].reason = "No GPU has it.";
  batch.recipe_matmuls[0].groups = 3;
  batch.recipe_matmuls[0].first.nonfinite = 5;
  const RecipeMatmul& given = batch.recipe_matmuls[0];
  const auto rows = queries::recipe_matmuls(written(batch));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].first, given.first);
  EXPECT_EQ(rows[0].second, given.second);
  EXPECT_EQ(rows[0].recipe, "mxfp8");
  EXPECT_EQ(rows[0].module, "fc");
  EXPECT_EQ(rows[0].op, "linear");
  EXPECT_EQ(rows[0].reason, given.reason);
  EXPECT_FALSE(rows[0].has_hardware);
  EXPECT_EQ(rows[0].flops(), 2.0 * 8 * 4 * 16 * 3);
}

TEST_F(RecipeRows, PoolStepsAndTellMatmulsOfACallApart) {
  const auto rows = queries::recipe_matmuls(written(two_steps()));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].matmul, Matmul::Fprop);
  EXPECT_EQ(rows[0].steps, 2);
  EXPECT_EQ(rows[0].calls, 2);
  EXPECT_EQ(rows[0].first.count, 128);
  EXPECT_EQ(rows[0].relative_error(), 0.5);
  EXPECT_EQ(rows[0].impact(), 0.375);
  EXPECT_EQ(rows[0].standard_error(), 0.125);
  EXPECT_EQ(rows[0].estimate(), 1.0);
  EXPECT_EQ(rows[0].size(), std::hypot(1.0, 0.375)) << "a mean of three standard errors counts";
  EXPECT_EQ(rows[1].matmul, Matmul::Dgrad);
  EXPECT_EQ(rows[1].impact(), -0.375);
  EXPECT_EQ(rows[1].estimate(), 0.5);
  EXPECT_EQ(rows[1].decrease, 2.0);
  EXPECT_EQ(rows[2].matmul, Matmul::Wgrad);
  EXPECT_EQ(rows[2].impact(), 0.75);
}

TEST_F(RecipeRows, WithoutImpactsHaveNone) {
  Batch batch = two_steps();
  batch.impacts.clear();
  batch.gradient_impacts.clear();
  for (const queries::RecipeMatmulRow& row : queries::recipe_matmuls(written(batch))) {
    EXPECT_FALSE(row.has_impact);
    EXPECT_EQ(row.impact(), std::nullopt);
    EXPECT_EQ(row.size(), std::nullopt);
  }
}

TEST_F(RecipeRows, OfALayerThatARecipeLeavesSayWhy) {
  Batch batch = two_steps();
  for (RecipeMatmul& matmul : batch.recipe_matmuls) {
    matmul.is_quantized = false;
    matmul.reason = "Its 4 columns are not a multiple of 32.";
  }
  const auto rows = queries::recipe_matmuls(written(batch));
  EXPECT_FALSE(rows[0].has_impact) << "the loss of another op there does not belong to a recipe";
  EXPECT_EQ(rows[0].relative_error(), std::nullopt);
  EXPECT_EQ(rows[0].reason, "Its 4 columns are not a multiple of 32.");
}

TEST_F(RecipeRows, OfOneBackwardCallAddUpInItsOp) {
  const queries::Report report = written(two_steps());
  const auto impacts = queries::gradient_impacts(report);
  ASSERT_EQ(impacts.size(), 2u);
  EXPECT_EQ(impacts[0].name, "backward fc/convolution_backward (dgrad)");
  EXPECT_EQ(impacts[1].name, "backward fc/convolution_backward (wgrad)");
  for (const queries::OpRow& op : queries::ops(report)) {
    if (op.call_site_id != kBackward) continue;
    EXPECT_EQ(op.gradient_impact, 0.375);
    EXPECT_EQ(op.gradient_impact_size, std::hypot(0.5, 2.0));
  }
}

TEST(OperandRounding, SaysShares) {
  const OperandRounding loss{.count = 64, .flushed = 16, .saturated = 8, .sum_sq = 100.0, .sum_sq_error = 1.0};
  EXPECT_EQ(loss.sqnr_db(), 20.0);
  EXPECT_EQ(loss.flushed_share(), 0.25);
  EXPECT_EQ(loss.saturated_share(), 0.125);
  EXPECT_EQ(OperandRounding{}.sqnr_db(), std::nullopt);
  EXPECT_EQ(OperandRounding{}.flushed_share(), std::nullopt);
}

}  // namespace recipes_test
}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/gradient_impacts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/records/batch.h"
#include "reports/records/gradient_impact.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace gradient_impacts_test {

using testing_reports::call;
using testing_reports::segment;
using testing_reports::site;
using testing_reports::start_of;
using testing_reports::TemporaryFolder;

constexpr std::int64_t kSite = 1;

/// Returns two steps of one backward op. The loss decreases by 1 in step 1, and by 3 in step 2.
Batch two_steps() {
  Batch batch;
  batch.signatures = {{1, "f32[8,4] f32[3,4]"}};
  batch.call_sites = {site(kSite, Phase::Backward, "fc", "mm")};
  for (std::int64_t step = 1; step <= 2; ++step) {
    batch.segments.push_back(segment(step, step, step * 10, step * 10 + 5));
    batch.calls.push_back(call(step, kSite));
    batch.decreases.push_back({.segment = step, .before = 5.0, .after = step == 1 ? 4.0 : 2.0});
  }
  return batch;
}

GradientImpact of_call(std::int64_t segment, std::optional<double> impact) {
  return {
      .segment = segment, .call_site = kSite, .impact = impact, .square = impact ? std::optional(4.0) : std::nullopt};
}

struct GradientImpactRows : testing::Test {
  queries::Report written(const Batch& batch) {
    store::create_report(path, false);
    store::ReportWriter writer(path);
    writer.append(writer.begin_run(start_of("O1")), batch);
    return queries::Report(path);
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "r.ampprof";
};

TEST_F(GradientImpactRows, PoolASiteOverItsSteps) {
  Batch batch = two_steps();
  batch.gradient_impacts = {of_call(1, 0.3), of_call(2, 0.1)};
  batch.gradient_impacts[1].no_cotangents = 2;
  const auto rows = queries::gradient_impacts(written(batch));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].name, "backward fc/mm");
  EXPECT_EQ(rows[0].steps, 2);
  EXPECT_EQ(rows[0].no_cotangents, 2);
  EXPECT_DOUBLE_EQ(*rows[0].impact, 0.2);
  EXPECT_DOUBLE_EQ(*rows[0].impact_rms, std::sqrt(0.05));
  EXPECT_NEAR(*rows[0].standard_error, 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(*rows[0].estimate, 2.0);
  EXPECT_DOUBLE_EQ(*rows[0].share, 0.1) << "0.4 of 4";
  EXPECT_FALSE(rows[0].is_ranking_only);
}

TEST_F(GradientImpactRows, SayWhyThereIsNone) {
  Batch batch = two_steps();
  batch.gradient_impacts = {of_call(1, std::nullopt)};
  batch.gradient_impacts[0].gap = GradientImpactGap::NoCotangent;
  const auto rows = queries::gradient_impacts(written(batch));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_FALSE(rows[0].impact);
  EXPECT_EQ(rows[0].gaps, 1);
  EXPECT_EQ(rows[0].gap, GradientImpactGap::NoCotangent);
}

TEST_F(GradientImpactRows, HaveNoShareWhereTheyOnlyRank) {
  Batch batch = two_steps();
  batch.gradient_impacts = {of_call(1, 0.3)};
  batch.gradient_impacts[0].is_ranking_only = true;
  const auto rows = queries::gradient_impacts(written(batch));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows[0].is_ranking_only);
  EXPECT_FALSE(rows[0].share);
}

TEST_F(GradientImpactRows, AreOfTheOpsToo) {
  Batch batch = two_steps();
  batch.gradient_impacts = {of_call(1, 0.3), of_call(2, 0.1)};
  batch.gradient_impacts.push_back({.segment = 1, .source = GradientImpactSource::ForwardErrors, .impact = -1.0});
  const auto report = written(batch);
  const auto ops = queries::ops(report);
  ASSERT_EQ(ops.size(), 1u);
  EXPECT_DOUBLE_EQ(*ops[0].gradient_impact, 0.2);
  EXPECT_DOUBLE_EQ(*ops[0].gradient_impact_size, 2.0);
  EXPECT_DOUBLE_EQ(*ops[0].gradient_impact_share, 0.1);
  const auto rows = queries::gradient_impacts(report);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].name, "forward errors");
}

TEST_F(GradientImpactRows, ComeWithErrorsOfParameters) {
  Batch batch = two_steps();
  GradientError first{.segment = 1, .parameter = "fc.weight", .elements = 10, .flushed = 1};
  first.sum_sq_error = 1.0;
  first.sum_sq_reference = first.sum_sq_run = 16.0;
  first.product = 8.0;
  GradientError second = first;
  second.segment = 2;
  second.sum_sq_error = 7.0;
  second.product = 16.0;
  second.sum_sq_change = 8.0;
  GradientError other = second;
  other.parameter = "fc.bias";
  other.sum_sq_error = 2.0;
  batch.gradient_errors = {first, second, other};
  const auto rows = queries::gradient_errors(written(batch));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].parameter, "fc.bias");
  EXPECT_DOUBLE_EQ(*rows[0].share, 0.2);
  EXPECT_EQ(rows[1].steps, 2);
  EXPECT_DOUBLE_EQ(*rows[1].share, 0.8);
  EXPECT_DOUBLE_EQ(*rows[1].relative, 0.5);
  EXPECT_DOUBLE_EQ(*rows[1].cosine, 0.75);
  EXPECT_DOUBLE_EQ(*rows[1].flushed, 0.1);
  EXPECT_DOUBLE_EQ(*rows[1].noise, 0.5);
}

}  // namespace gradient_impacts_test
}  // namespace ampprof

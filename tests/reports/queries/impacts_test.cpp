// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/impacts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/records/batch.h"
#include "reports/records/impact_estimate.h"
#include "reports/records/loss_impact.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace impacts_test {

using testing_reports::call;
using testing_reports::segment;
using testing_reports::site;
using testing_reports::start_of;
using testing_reports::TemporaryFolder;

constexpr std::int64_t kSteps = 4;

/// Returns four steps of one linear op.
Batch four_steps() {
  Batch batch;
  batch.signatures = {{1, "f32[8,4] f32[3,4]"}};
  batch.call_sites = {site(1, Phase::Forward, "fc", "linear")};
  for (std::int64_t step = 1; step <= kSteps; ++step) {
    batch.segments.push_back(segment(step, step, step * 10, step * 10 + 5));
    batch.calls.push_back(call(step, 1));
  }
  return batch;
}

LossImpact of_call(std::int64_t segment, std::optional<double> impact, ImpactGap gap = ImpactGap::None) {
  return {.segment = segment, .call_site = 1, .name = "", .impact = impact, .gap = gap};
}

struct ImpactRows : testing::Test {
  queries::Report written(const Batch& batch) {
    store::create_report(path, false);
    store::ReportWriter writer(path);
    writer.append(writer.begin_run(start_of("O1")), batch);
    return queries::Report(path);
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "r.ampprof";
};

TEST_F(ImpactRows, PoolASiteOverItsSteps) {
  Batch batch = four_steps();
  batch.impacts = {of_call(1, 1.0), of_call(2, 3.0), of_call(3, -2.0), of_call(4, 6.0)};
  const auto rows = queries::impacts(written(batch));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].name, "fc/linear");
  EXPECT_EQ(rows[0].module, "fc");
  EXPECT_EQ(rows[0].op, "linear");
  EXPECT_EQ(rows[0].steps, 4);
  EXPECT_EQ(rows[0].impact, 2.0);
  EXPECT_EQ(rows[0].impact_rms, std::sqrt(12.5));
  EXPECT_EQ(rows[0].standard_error, 0.0) << "every step was measured";
}

TEST_F(ImpactRows, SayHowWellASampleKnowsTheMean) {
  Batch batch = four_steps();
  batch.impacts = {of_call(1, 1.0), of_call(3, 3.0)};
  const auto rows = queries::impacts(written(batch));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].calls, 4);
  EXPECT_EQ(rows[0].steps, 2);
  EXPECT_EQ(rows[0].impact, 2.0);
  EXPECT_DOUBLE_EQ(*rows[0].standard_error, std::sqrt(2.0 / 2.0 * 0.5)) << "variance / n * share left out";
}

TEST_F(ImpactRows, OfASiteThatEachStepCallsTwiceKnowTheMeanIfAllStepsWereMeasured) {
  Batch batch = four_steps();
  for (std::int64_t step = 1; step <= kSteps; ++step) batch.calls.push_back(call(step, 1));
  batch.impacts = {of_call(1, 1.0), of_call(2, 3.0), of_call(3, -2.0), of_call(4, 6.0)};
  const auto rows = queries::impacts(written(batch));
  EXPECT_EQ(rows.at(0).calls, 2 * kSteps);
  EXPECT_EQ(rows.at(0).called_steps, kSteps);
  EXPECT_EQ(rows.at(0).standard_error, 0.0) << "every step was measured";
}

TEST_F(ImpactRows, CountWhatHasNoValueAndSayWhy) {
  Batch batch = four_steps();
  batch.impacts = {of_call(1, 1.0), of_call(2, std::nullopt, ImpactGap::GradientNotFinite)};
  const auto rows = queries::impacts(written(batch));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].impact, 1.0);
  EXPECT_EQ(rows[0].gaps, 1);
  EXPECT_EQ(rows[0].gap, ImpactGap::GradientNotFinite);
  EXPECT_EQ(rows[0].standard_error, std::nullopt) << "one value says nothing of the spread";
}

TEST_F(ImpactRows, KeepLossesParametersAndInputsApart) {
  Batch batch = four_steps();
  LossImpact other_loss = of_call(1, 5.0);
  other_loss.loss_id = 1;
  LossImpact input = of_call(1, 7.0);
  input.source = ImpactSource::Input;
  LossImpact parameter{.segment = 1,
                       .source = ImpactSource::Parameter,
                       .name = "fc.weight",
                       .impact = std::nullopt,
                       .gap = ImpactGap::NoMaster};
  batch.impacts = {of_call(1, 1.0), other_loss, input, parameter};
  const queries::Report report = written(batch);
  const auto rows = queries::impacts(report);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].impact, 1.0);
  EXPECT_EQ(rows[1].source, ImpactSource::Parameter);
  EXPECT_EQ(rows[1].name, "fc.weight");
  EXPECT_EQ(rows[1].impact, std::nullopt);
  EXPECT_EQ(rows[1].gap, ImpactGap::NoMaster);
  EXPECT_EQ(rows[2].source, ImpactSource::Input);
  EXPECT_EQ(rows[2].name, "fc/linear");
  EXPECT_EQ(rows[3].loss_id, 1);
  const auto ops = queries::ops(report);
  ASSERT_EQ(ops.size(), 1u);
  EXPECT_EQ(ops[0].loss_impact, 13.0) << "of both losses, its inputs' rounding included";
  EXPECT_EQ(ops[0].loss_impact_rms, std::sqrt(75.0));
}

TEST_F(ImpactRows, OfCallsBeforeGradientsAreWhereTheseAre) {
  Batch batch = four_steps();
  batch.segments.push_back({.id = 5, .step = 4, .position = 1});
  LossImpact taken_later = of_call(5, 7.0);
  taken_later.source = ImpactSource::BeforeGradients;
  batch.impacts = {taken_later};
  const queries::Report report = written(batch);
  const auto rows = queries::impacts(report);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].position, 0);
  EXPECT_EQ(queries::ops(report).at(0).loss_impact, 7.0);
}

TEST_F(ImpactRows, OfDecisionsCountStepsInWhichTheyChangeNothing) {
  Batch batch = four_steps();
  for (std::int64_t step = 1; step <= 4; ++step) batch.impacts.push_back(of_call(step, 1.0));
  LossImpact decision = of_call(3, 8.0);
  decision.source = ImpactSource::Decision;
  batch.impacts.push_back(decision);
  const auto rows = queries::impacts(written(batch));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].source, ImpactSource::Decision);
  EXPECT_EQ(rows[1].steps, 4);
  EXPECT_EQ(rows[1].impact, 2.0);
}

TEST_F(ImpactRows, OfDecisionsSayNothingOfStepsInWhichErrorsWereLeftOut) {
  Batch batch = four_steps();
  batch.impacts = {of_call(1, 1.0), of_call(3, 8.0)};
  batch.impacts[1].source = ImpactSource::Decision;
  batch.missing.push_back({.what = "loss impact of op calls", .count = 1, .cause = "", .remedy = ""});
  const auto rows = queries::impacts(written(batch));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].steps, 1);
  EXPECT_EQ(rows[1].impact, 8.0);
}

TEST_F(ImpactRows, LeaveStepsWithoutAValueOutOfTheMeanButNotOutOfTheSample) {
  Batch batch = four_steps();
  batch.impacts = {of_call(1, 1.0), of_call(2, std::nullopt, ImpactGap::ScaleUnknown), of_call(3, 3.0)};
  const auto rows = queries::impacts(written(batch));
  EXPECT_EQ(rows.at(0).calls, 4);
  EXPECT_EQ(rows.at(0).impact, 2.0);
  EXPECT_DOUBLE_EQ(*rows.at(0).standard_error, std::sqrt(2.0 / 2.0 * 0.25));
}

TEST_F(ImpactRows, OfEqualValuesHaveNoSpread) {
  Batch batch = four_steps();
  batch.impacts = {of_call(1, 0.1), of_call(2, 0.1), of_call(3, 0.1)};
  EXPECT_NEAR(*queries::impacts(written(batch)).at(0).standard_error, 0.0, 1e-9);
}

TEST_F(ImpactRows, TellTheReasonOfTheFirstGap) {
  Batch batch = four_steps();
  batch.impacts = {of_call(1, std::nullopt, ImpactGap::ErrorNotFinite),
                   of_call(2, std::nullopt, ImpactGap::ScaleUnknown)};
  const auto rows = queries::impacts(written(batch));
  EXPECT_EQ(rows.at(0).gap, ImpactGap::ErrorNotFinite);
  EXPECT_EQ(rows.at(0).gaps, 2);
  EXPECT_EQ(rows.at(0).impact_rms, std::nullopt);
}

TEST_F(ImpactRows, PoolAParameterOverThePlacesOfAStep) {
  Batch batch = four_steps();
  batch.segments[1].position = 1;
  for (const std::int64_t segment : {1, 2}) {
    batch.impacts.push_back({.segment = segment, .source = ImpactSource::Parameter, .name = "w", .impact = 1.0});
    batch.impacts.push_back(
        {.segment = segment, .source = ImpactSource::Input, .call_site = 1, .name = "", .impact = 1.0});
  }
  const auto rows = queries::impacts(written(batch));
  ASSERT_EQ(rows.size(), 3u) << "inputs of two places";
  EXPECT_EQ(rows[0].source, ImpactSource::Parameter);
  EXPECT_EQ(rows[0].position, 0);
  EXPECT_EQ(rows[0].steps, 2);
  EXPECT_EQ(rows[0].calls, 2) << "as often as it was measured";
  EXPECT_EQ(rows[2].position, 1);
}

LossImpact with_squares(std::int64_t segment, double impact, const ImpactSquares& squares) {
  LossImpact of = of_call(segment, impact);
  of.squares = squares;
  return of;
}

TEST_F(ImpactRows, RankByTheEstimateWhereRoundingsAreKnown) {
  Batch batch = four_steps();
  batch.impacts = {with_squares(1, 1.0, {.weight = 9.0, .output = 3.0}), with_squares(2, -3.0, {.weight = 5.0})};
  batch.impacts[1].gradient = ImpactGradient::Shadow;
  const auto rows = queries::impacts(written(batch));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].squares, (ImpactSquares{.weight = 7.0, .output = 1.5})) << "means over the steps";
  EXPECT_EQ(rows[0].estimate(), std::sqrt(8.5));
  EXPECT_EQ(rows[0].size(), rows[0].estimate());
  EXPECT_DOUBLE_EQ(*rows[0].self_check, 10.0 / 17.0);
  EXPECT_EQ(rows[0].gradient, ImpactGradient::Shadow);
  EXPECT_EQ(rows[0].by_step, (std::vector<StepImpact>{{.step = 1, .change = 1.0, .square = 12.0},
                                                      {.step = 2, .change = -3.0, .square = 5.0}}));
}

TEST_F(ImpactRows, RankByTheSignedChangesWhereTheCheckFailsOrNothingElseIsKnown) {
  Batch batch = four_steps();
  batch.impacts = {with_squares(1, 5.0, {.output = 1.0})};
  auto rows = queries::impacts(written(batch));
  EXPECT_EQ(rows.at(0).self_check, 25.0) << "saturated: all roundings point the same way";
  EXPECT_TRUE(rows[0].is_signed);
  EXPECT_EQ(rows[0].size(), 5.0);

  path = folder / "without.ampprof";
  batch.impacts = {of_call(1, 5.0)};
  rows = queries::impacts(written(batch));
  EXPECT_EQ(rows.at(0).estimate(), std::nullopt);
  EXPECT_EQ(rows[0].size(), 5.0);

  path = folder / "exact.ampprof";
  batch.impacts = {with_squares(1, 0.0, {.output = 0.0})};
  rows = queries::impacts(written(batch));
  EXPECT_FALSE(rows.at(0).is_signed) << "nothing was rounded";
  EXPECT_EQ(rows[0].size(), 0.0);
}

TEST_F(ImpactRows, GiveOpsTheirSizeAndSteps) {
  Batch batch = four_steps();
  LossImpact input = with_squares(1, 2.0, {.activation = 16.0});
  input.source = ImpactSource::Input;
  batch.impacts = {with_squares(1, 1.0, {.output = 9.0}), with_squares(2, 1.0, {.output = 9.0}), input};
  const auto ops = queries::ops(written(batch));
  ASSERT_EQ(ops.size(), 1u);
  EXPECT_EQ(ops[0].loss_impact_size, 5.0);
  EXPECT_FALSE(ops[0].loss_impact_is_signed);
  EXPECT_EQ(ops[0].impact_by_step, (std::vector<StepImpact>{{.step = 1, .change = 3.0, .square = 25.0}}))
      << "of the step in which both were measured";
}

}  // namespace impacts_test
}  // namespace ampprof

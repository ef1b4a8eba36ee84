// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/runs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "reports/queries/losses.h"
#include "reports/queries/report.h"
#include "reports/queries/scales.h"
#include "reports/queries/segments.h"
#include "reports/records/batch.h"
#include "reports/records/dtype.h"
#include "reports/records/run.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace runs_test {

using namespace testing_reports;

/// Returns a run with one step for each of `steps_ms`, its duration. 0 means a step that was not recorded.
queries::RunRow run_with(const std::vector<int>& steps_ms) {
  const TemporaryFolder folder;
  store::create_report(folder / "r", false);
  store::ReportWriter writer(folder / "r");
  const std::int64_t run = writer.begin_run(start_of("O1"));
  Batch batch;
  std::int64_t now = 0;
  for (const int ms : steps_ms) {
    const auto id = static_cast<std::int64_t>(batch.segments.size()) + 1;
    const std::int64_t end = now + std::max(ms, 5) * 1'000'000LL;
    batch.segments.push_back({.id = id, .step = id, .start_ns = now, .end_ns = end, .recorded = ms > 0});
    now = end;
  }
  writer.append(run, batch);
  return queries::runs(queries::Report(folder / "r")).at(0);
}

TEST(RunRows, TellWhatTheLossDiffersByFromTheShadows) {
  const TemporaryFolder folder;
  store::create_report(folder / "r", false);
  store::ReportWriter writer(folder / "r");
  RunStart in_recipe = start_of("O0");
  in_recipe.what_if = "mxfp8";
  for (const bool rounds_by_itself : {false, true}) {
    for (const RunStart& start : {start_of("O1"), in_recipe}) {
      const std::int64_t run = writer.begin_run(start);
      Batch batch;
      batch.call_sites = {site(1, Phase::Forward, "fc", "linear")};
      batch.calls = {call(1, 1)};
      batch.calls[0].dtype_out = rounds_by_itself ? DType::BFloat16 : DType::Float;
      batch.segments = {{.id = 1, .step = 1}, {.id = 2, .step = 1}, {.id = 3, .step = 2}, {.id = 4, .step = 3}};
      batch.losses = {{1, 0, 2.0, 1.5}, {2, 0, 2.0, 1.75}, {3, 0, 3.0, 3.25}, {4, 0, 9.0, {}}};
      writer.append(run, batch);
      writer.detach(run, {});
    }
  }
  const queries::Report report(folder / "r");
  const auto changes = queries::loss_changes(report, 1);
  ASSERT_EQ(changes.size(), 2u) << "of the third step nothing is known";
  EXPECT_EQ(changes[0].change, 0.75) << "losses of one step are added up";
  EXPECT_EQ(changes[1].change, -0.25);
  EXPECT_EQ(queries::runs(report).at(0).loss_change, 0.25) << "the run less the shadow in high precision";
  EXPECT_EQ(queries::runs(report).at(1).loss_change, -0.25) << "the shadow in the recipe less the run";
  EXPECT_EQ(queries::runs(report).at(2).loss_change, 0.25);
  EXPECT_EQ(queries::runs(report).at(3).loss_change, std::nullopt) << "the shadow is not in BF16, and the run is";
}

TEST(RunRows, HoldWhatWasWritten) {
  const TemporaryFolder folder;
  write_sample_report(folder / "sample");
  const auto runs = queries::runs(queries::Report(folder / "sample"));
  ASSERT_EQ(runs.size(), 1u);
  const queries::RunRow& run = runs[0];
  EXPECT_EQ(run.run, 1);
  EXPECT_EQ(run.level, "O1");
  EXPECT_EQ(run.program, "./train --epochs 2");
  EXPECT_EQ(run.device, "cpu");
  EXPECT_EQ(run.torch_version, "2.11.0");
  EXPECT_EQ(run.reference, "fp32");
  EXPECT_EQ(run.target_gpu, "sm_90");
  EXPECT_EQ(run.settings_json, "{}");
  EXPECT_EQ(run.steps, 2);
  EXPECT_EQ(run.recorded_steps, 2);
  EXPECT_EQ(run.skipped_steps, 0) << "no segment says so";
  EXPECT_EQ(run.ms_per_step, 5.0) << "the median of 4 and 6";
  EXPECT_DOUBLE_EQ(run.ms_per_step_noise.value(), 1.4826 * std::sqrt(std::numbers::pi / 4)) << "1 ms off either way";
  EXPECT_EQ(run.overhead_ms_per_step, 0.0);
  EXPECT_EQ(run.peak_bytes, 1 << 20);
  EXPECT_EQ(run.initial_loss, 2.5);
  EXPECT_EQ(run.final_loss, 2.0);
  EXPECT_EQ(run.first_loss_mean, 2.25);
  EXPECT_EQ(run.last_loss_mean, 2.25);
  EXPECT_EQ(run.last_loss_noise, 0.25);
  EXPECT_EQ(run.last_losses_nonfinite, 0);
  EXPECT_EQ(run.nonfinite_losses, 0);
  EXPECT_FALSE(run.ends_nonfinite);
  EXPECT_EQ(run.loss_fall, std::nullopt) << "of two steps";
  EXPECT_EQ(run.overflow_events, 1);
  EXPECT_EQ(run.nonfinite_ops, 2);
  EXPECT_EQ(run.loss_scale_final, 4.0);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(run.complete);
  EXPECT_EQ(run.op_calls, 4);
}

TEST(WarmUp, IsTheStepsBeforeTheFirstThatTakesAsLongAsMost) {
  EXPECT_EQ(run_with({90, 30, 10, 10, 40, 10, 10}).warm_up_steps, 2) << "the 40 comes later";
  EXPECT_EQ(run_with({10, 10, 10}).warm_up_steps, 0);
  EXPECT_EQ(run_with({15, 10, 10}).warm_up_steps, 0) << "1.5 times the median is not more than that";
  EXPECT_EQ(run_with({16, 10, 10}).warm_up_steps, 1);
}

TEST(RunRows, HaveTheMedianOfTheirSteps) {
  EXPECT_EQ(run_with({10, 90, 20}).ms_per_step, 20.0);
  EXPECT_EQ(run_with({30, 10, 90, 20}).ms_per_step, 25.0);
  EXPECT_EQ(run_with({10}).ms_per_step_noise, std::nullopt);
}

TEST(WarmUp, IsOfRecordedStepsAlone) {
  EXPECT_EQ(run_with({0, 90, 0, 10, 10, 10}).warm_up_steps, 1);
  EXPECT_EQ(run_with({}).warm_up_steps, 0);
  EXPECT_EQ(run_with({0}).warm_up_steps, 0);
}

/// Returns a run with the given number of forward calls for each output type, all with different shapes, and one
/// backward call.
queries::RunRow run_of_types(const std::vector<std::pair<DType, int>>& counts, bool infers = false) {
  const TemporaryFolder folder;
  store::create_report(folder / "r", false);
  store::ReportWriter writer(folder / "r");
  const std::int64_t run = writer.begin_run(start_of("O1"));
  Batch batch = two_steps();
  batch.calls.clear();
  if (infers) {
    for (CallSite& site : batch.call_sites) site.phase = Phase::Inference;
  }
  std::int64_t signature = 1;
  for (const auto& [type, count] : counts) {
    for (int i = 0; i < count; ++i) {
      batch.calls.push_back(call(1, 1, signature++));
      batch.calls.back().dtype_out = type;
    }
  }
  batch.calls.push_back(call(1, 2, 1));
  batch.calls.back().dtype_out = DType::Float8E4M3;  // the backward call
  batch.casts = {{.segment = 1, .call_site = 1, .from = DType::Float, .to = DType::Half, .casts = 3},
                 {.segment = 2, .call_site = 2, .from = DType::Float, .to = DType::Half, .casts = 4}};
  writer.append(run, batch);
  writer.detach(run, {.wall_ns = 0, .overhead_gpu_ns = 2'000'000, .gpu_busy_ns = 5});
  return queries::runs(queries::Report(folder / "r")).at(0);
}

TEST(RunRows, SayWhichReducedTypeMostForwardCallsGive) {
  EXPECT_EQ(run_of_types({{DType::Float, 3}, {DType::BFloat16, 1}, {DType::Half, 2}}).reduced_type, DType::Half);
  EXPECT_EQ(run_of_types({{DType::BFloat16, 3}, {DType::Half, 2}}).reduced_type, DType::BFloat16);
  EXPECT_EQ(run_of_types({{DType::Float, 3}, {DType::Int64, 1}}).reduced_type, DType::Unknown);
}

TEST(RunRows, OfInferenceSayWhichReducedTypeItsCallsGive) {
  const queries::RunRow run = run_of_types({{DType::Float, 3}, {DType::BFloat16, 2}}, true);
  EXPECT_TRUE(run.is_inference);
  EXPECT_EQ(run.reduced_type, DType::BFloat16);
}

TEST(RunRows, CountCastsAndCallsOfShapesThatWereNotKept) {
  const queries::RunRow run = run_of_types({{DType::Float, 70}});
  EXPECT_EQ(run.casts, 7);
  EXPECT_EQ(run.other_shapes, 70 - 64);
  EXPECT_EQ(run.op_calls, 71);
  EXPECT_EQ(run_of_types({{DType::Float, 64}}).other_shapes, 0);
}

TEST(RunRows, HaveNoShareOfATimeThatIsNone) {
  const queries::RunRow run = run_of_types({});
  EXPECT_EQ(run.gpu_busy_share, std::nullopt);
  EXPECT_EQ(run.overhead_gpu_ms, 2.0);
}

TEST(RunRows, CountUpdatesOfEachOptimizer) {
  const TemporaryFolder folder;
  store::create_report(folder / "r", false);
  store::ReportWriter writer(folder / "r");
  const std::int64_t run = writer.begin_run(start_of("O1"));
  Batch batch;
  batch.segments = {segment(1, 1, 0, 5), segment(2, 1, 5, 9), segment(3, 2, 9, 12)};
  batch.segments[0].skipped = true;
  batch.segments[1].updated = true;
  batch.segments[2].skipped = true;
  batch.optimizers = {{.id = 1, .parameter = "g.weight", .parameters = 2, .updates = 1}};
  writer.append(run, batch);
  batch.segments.clear();
  batch.optimizers = {{.id = 1, .parameter = "g.weight", .parameters = 2, .updates = 1, .skipped = 1},
                      {.id = 2, .parameter = "", .parameters = 3, .skipped = 2}};
  writer.append(run, batch);
  const queries::RunRow row = queries::runs(queries::Report(folder / "r")).at(0);
  EXPECT_EQ(row.skipped_steps, 2) << "in the first one another optimizer updated";
  ASSERT_EQ(row.optimizers.size(), 2u);
  EXPECT_EQ(row.optimizers[0].parameter, "g.weight");
  EXPECT_EQ(row.optimizers[0].skipped, 1);
  EXPECT_EQ(row.optimizers[1].parameters, 3);
  EXPECT_EQ(row.optimizers[1].updates, 0);
  EXPECT_EQ(row.optimizers[1].skipped, 2);
}

TEST(WholeSteps, AreWhatTheirSegmentsComeTo) {
  const TemporaryFolder folder;
  store::create_report(folder / "r", false);
  store::ReportWriter writer(folder / "r");
  const std::int64_t run = writer.begin_run(start_of("O1"));
  Batch batch;
  batch.segments = {segment(1, 0, 0, 5),   segment(2, 2, 20, 30), segment(3, 1, 10, 14),
                    segment(4, 2, 33, 44), segment(5, 0, 29, 33), segment(6, 0, 44, 50)};
  batch.segments[1].overhead_ns = 3;
  batch.segments[1].recorded = false;
  batch.segments[3].overhead_ns = 4;
  batch.segments[3].skipped = true;
  writer.append(run, batch);
  const auto steps = queries::whole_steps(queries::Report(folder / "r"), run);
  ASSERT_EQ(steps.size(), 2u) << "what came before the first step is none";
  EXPECT_EQ(steps[0].step, 1);
  EXPECT_TRUE(steps[0].recorded);
  EXPECT_FALSE(steps[0].skipped);
  EXPECT_EQ(steps[1].step, 2);
  EXPECT_EQ(steps[1].start_ns, 20'000'000);
  EXPECT_EQ(steps[1].end_ns, 44'000'000);
  EXPECT_EQ(steps[1].paused_ns, 3'000'000);
  EXPECT_EQ(steps[1].overhead_ns, 7);
  EXPECT_FALSE(steps[1].recorded);
  EXPECT_TRUE(steps[1].skipped);
}

}  // namespace runs_test
}  // namespace ampprof

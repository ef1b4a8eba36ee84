// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reports/queries/casts.h"
#include "reports/queries/checksums.h"
#include "reports/queries/events.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/ranks.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/queries/scales.h"
#include "reports/queries/segments.h"
#include "reports/queries/sketches.h"
#include "reports/queries/trials.h"
#include "reports/queries/updates.h"
#include "reports/records/batch.h"
#include "reports/records/dtype.h"
#include "reports/records/event.h"
#include "reports/records/exponents.h"
#include "reports/records/op_call.h"
#include "reports/records/run.h"
#include "reports/records/statistics.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace round_trip_test {

using testing_reports::an_error;
using testing_reports::call;
using testing_reports::segment;
using testing_reports::site;
using testing_reports::some_ranges;
using testing_reports::start_of;
using testing_reports::TemporaryFolder;
using testing_reports::two_steps;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct RoundTrip : testing::Test {
  void SetUp() override { store::create_report(path, false); }

  std::int64_t write(const Batch& batch) {
    store::ReportWriter writer(path);
    const auto run = writer.begin_run(start_of("O1"));
    writer.append(run, batch);
    return run;
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "r.ampprof";
};

TEST_F(RoundTrip, OpsComeBackPooledByPlace) {
  write(two_steps());
  const auto ops = queries::ops(queries::Report(path));
  ASSERT_EQ(ops.size(), 2u);
  const queries::OpRow& linear = ops[0];
  EXPECT_EQ(linear.run, 1);
  EXPECT_EQ(linear.level, "O1");
  EXPECT_EQ(linear.call_site_id, 1);
  EXPECT_EQ(linear.call_site, "fc/linear");
  EXPECT_EQ(linear.phase, Phase::Forward);
  EXPECT_EQ(linear.module, "fc");
  EXPECT_EQ(linear.op, "linear");
  EXPECT_EQ(linear.source, "train.cpp:7");
  EXPECT_EQ(linear.calls, 2);
  EXPECT_EQ(linear.signature, "f32[8,4] f32[3,4]");
  EXPECT_EQ(linear.dtype_in, DType::Float);
  EXPECT_EQ(linear.dtype_out, DType::Half);
  EXPECT_EQ(linear.cpu_us, 4.0);
  EXPECT_EQ(linear.scale, std::nullopt);
  ErrorStats error = an_error();
  error.merge(an_error());
  RangeStats ranges = some_ranges();
  ranges.merge(some_ranges());
  EXPECT_EQ(linear.local, error);
  EXPECT_EQ(linear.ranges, ranges);
  EXPECT_EQ(ops[1].call_site, "backward fc/mm");
}

TEST_F(RoundTrip, InheritedErrorAndExponentsComeBackPooled) {
  Batch batch = two_steps();
  ExponentHistogram exponents, of_shadow;
  exponents.counts[7] = 3;
  of_shadow.counts[8] = 4;
  for (OpCall& call : batch.calls) {
    call.exponents = encode(exponents);
    call.inherited = an_error();
    call.inherited_exponents = encode(of_shadow);
    call.nonfinite_expected = call.segment == 2;
  }
  write(batch);
  const auto ops = queries::ops(queries::Report(path));
  ASSERT_EQ(ops.size(), 2u);
  ErrorStats inherited = an_error();
  inherited.merge(an_error());
  exponents.merge(exponents);
  of_shadow.merge(of_shadow);
  EXPECT_EQ(ops[0].inherited, inherited);
  EXPECT_EQ(ops[0].exponents, exponents);
  EXPECT_EQ(ops[0].inherited_exponents, of_shadow);
  EXPECT_FALSE(ops[0].nonfinite_expected) << "that of the first step was not";
  EXPECT_EQ(queries::runs(queries::Report(path))[0].nonfinite_ops, 2);
}

TEST_F(RoundTrip, ExpectedNansAreNotCounted) {
  Batch batch = two_steps();
  for (OpCall& call : batch.calls) call.nonfinite_expected = true;
  write(batch);
  EXPECT_EQ(queries::runs(queries::Report(path))[0].nonfinite_ops, 0);
  EXPECT_TRUE(queries::ops(queries::Report(path))[0].nonfinite_expected);
}

TEST_F(RoundTrip, SketchesInTheOrderOfTheRun) {
  Batch batch = two_steps();
  Sketch sketch{
      .segment = 2, .call_site = 2, .inputs = -7, .elements = 640, .nonfinite = 1, .checksum = -5, .sum_sq = 4.5};
  sketch.sums.front() = 0.25;
  sketch.sums.back() = -1e300;
  Sketch first = sketch;
  first.segment = 1;
  batch.sketches = {first, sketch};
  write(batch);
  const auto rows = queries::sketches(queries::Report(path), 1);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].sketch, first);
  EXPECT_EQ(rows[1].sketch, sketch);
  EXPECT_EQ(rows[0].step, 1);
  EXPECT_EQ(rows[1].step, 2);
  EXPECT_FALSE(rows[0].op.empty());
  EXPECT_TRUE(queries::sketches(queries::Report(path), 2).empty());
}

TEST_F(RoundTrip, CastsAndUpdatesAddUpOverSteps) {
  Batch batch = two_steps();
  for (const std::int64_t segment : {1, 2}) {
    batch.casts.push_back({.segment = segment,
                           .call_site = 1,
                           .from = DType::Float,
                           .to = DType::Half,
                           .casts = 2,
                           .cache_hits = 1,
                           .bytes = 64,
                           .duration_ns = 500,
                           .rounded_twice = 1});
    batch.updates.push_back({.segment = segment,
                             .call_site = 2,
                             .parameter = "fc.weight",
                             .dtype = DType::Half,
                             .count = 12,
                             .lost = 3,
                             .below_half_ulp = 4,
                             .sum_ulp = 24.0});
  }
  write(batch);
  const auto casts = queries::casts(queries::Report(path));
  ASSERT_EQ(casts.size(), 1u);
  EXPECT_EQ(casts[0].call_site, "fc/linear");
  EXPECT_EQ(casts[0].op, "linear");
  EXPECT_EQ(casts[0].total.from, DType::Float);
  EXPECT_EQ(casts[0].total.to, DType::Half);
  EXPECT_EQ(casts[0].total.casts, 4);
  EXPECT_EQ(casts[0].total.cache_hits, 2);
  EXPECT_EQ(casts[0].total.bytes, 128);
  EXPECT_EQ(casts[0].total.duration_ns, 1000);
  EXPECT_EQ(casts[0].total.rounded_twice, 2);
  const auto updates = queries::updates(queries::Report(path));
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_EQ(updates[0].call_site, "backward fc/mm");
  EXPECT_EQ(updates[0].total.parameter, "fc.weight");
  EXPECT_EQ(updates[0].total.dtype, DType::Half);
  EXPECT_EQ(updates[0].total.count, 24);
  EXPECT_EQ(updates[0].total.lost, 6);
  EXPECT_EQ(updates[0].total.below_half_ulp, 8);
  EXPECT_EQ(updates[0].total.sum_ulp, 48.0);
}

TEST_F(RoundTrip, LostUpdatesAreUnknownWhereAStepHasNoReference) {
  Batch batch = two_steps();
  batch.updates = {{.segment = 1, .call_site = 2, .parameter = "w", .count = 4, .lost = 1},
                   {.segment = 2, .call_site = 2, .parameter = "w", .count = 4, .lost = std::nullopt}};
  write(batch);
  EXPECT_EQ(queries::updates(queries::Report(path))[0].total.lost, std::nullopt);
}

TEST_F(RoundTrip, UpdatesOfACopyAreMarkedIfTheRunUpdatesItsMaster) {
  const auto update = [](const char* parameter, DType dtype) {
    WeightUpdate of;
    of.segment = 1;
    of.call_site = 2;
    of.parameter = parameter;
    of.dtype = dtype;
    return of;
  };
  Batch batch = two_steps();
  batch.updates = {update("alone", DType::Half), update("w", DType::Half), update("w", DType::Float)};
  write(batch);
  for (const queries::UpdateRow& row : queries::updates(queries::Report(path))) {
    EXPECT_EQ(row.has_master, row.total.parameter == "w" && row.total.dtype == DType::Half);
  }
}

TEST_F(RoundTrip, ChecksumsOfParametersComeBackByStepAndName) {
  Batch batch = two_steps();
  batch.checksums = {{.segment = 2, .parameter = "fc.weight", .checksum = std::numeric_limits<std::int64_t>::min()},
                     {.segment = 2, .parameter = "fc.bias", .checksum = -1},
                     {.segment = 1, .parameter = "fc.weight", .checksum = 7},
                     {.segment = 1, .parameter = "fc.weight", .checksum = 8},
                     {.segment = 99, .parameter = "of no segment", .checksum = 9}};
  const auto run = write(batch);
  const auto rows = queries::parameter_checksums(queries::Report(path), run);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].place, (queries::ParameterCheck{1, 0, "fc.weight"}));
  EXPECT_EQ(rows[0].checksum, 8) << "written once more in the same segment";
  EXPECT_EQ(rows[1].place, (queries::ParameterCheck{2, 0, "fc.bias"}));
  EXPECT_EQ(rows[1].checksum, -1);
  EXPECT_EQ(rows[2].checksum, std::numeric_limits<std::int64_t>::min());
  EXPECT_TRUE(queries::parameter_checksums(queries::Report(path), run + 1).empty());
}

TEST_F(RoundTrip, TrialsComeBackWithTheirRun) {
  store::ReportWriter writer(path);
  RunStart start = start_of("O1");
  start.seed = 3;
  const Trial good{.policy = "mm fp32\n", .metric = "loss", .value = 0.5};
  const Trial bad{.policy = "", .metric = "accuracy (.*)", .value = std::nullopt};
  const auto first = writer.begin_run(start);
  writer.begin_run(start);
  const auto last = writer.begin_run(start_of("O0"));
  writer.add_trial(last, bad);
  writer.add_trial(first, good);
  const auto rows = queries::trials(queries::Report(path));
  ASSERT_EQ(rows.size(), 2u) << "one run is not a trial";
  EXPECT_EQ(rows[0].run, first);
  EXPECT_EQ(rows[0].level, "O1");
  EXPECT_EQ(rows[0].program, start.program);
  EXPECT_EQ(rows[0].seed, 3);
  EXPECT_EQ(rows[0].trial, good);
  EXPECT_EQ(rows[1].run, last);
  EXPECT_EQ(rows[1].trial, bad);
}

TEST_F(RoundTrip, ARunSaysHowOftenItsParametersWereChecked) {
  store::ReportWriter writer(path);
  RunStart start = start_of("O1");
  start.check_ranks = 5;
  const auto checked = writer.begin_run(start);
  const auto unchecked = writer.begin_run(start_of("O1"));
  const queries::Report report(path);
  EXPECT_EQ(queries::rank_record(report, checked).check_every, 5);
  EXPECT_EQ(queries::rank_record(report, unchecked).check_every, std::nullopt);
}

TEST_F(RoundTrip, DecisionsOfTheScalerComeBackInOrder) {
  write(two_steps());
  const auto scales = queries::scales(queries::Report(path));
  ASSERT_EQ(scales.size(), 2u);
  EXPECT_EQ(scales[1].step, 2);
  EXPECT_EQ(scales[1].update.scale_before, 8.0);
  EXPECT_EQ(scales[1].update.scale_after, 4.0);
  EXPECT_TRUE(scales[1].update.overflow);
  EXPECT_TRUE(scales[1].update.skipped);
}

TEST_F(RoundTrip, MissingThingsComeBack) {
  write(two_steps());
  const auto missing = queries::missing(queries::Report(path));
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].level, "O1");
  EXPECT_EQ(missing[0].missing.what, "op calls");
  EXPECT_EQ(missing[0].missing.count, 3);
  EXPECT_EQ(missing[0].missing.cause, "graph capture");
  EXPECT_EQ(missing[0].missing.remedy, "capture later");
}

TEST_F(RoundTrip, AbsentValuesStayAbsent) {
  Batch batch;
  batch.call_sites = {site(1, Phase::Forward, "", "relu")};
  batch.segments = {segment(1, 1, 0, 0)};
  OpCall bare = call(1, 1, 99);
  bare.local.reset();
  bare.ranges.reset();
  batch.calls = {bare};
  NonfiniteEvent event;
  event.segment = 1;
  batch.events = {event};
  write(batch);

  const queries::Report report(path);
  const queries::RunRow run = queries::runs(report).at(0);
  EXPECT_EQ(run.ms_per_step, std::nullopt) << "the only step still goes on";
  EXPECT_EQ(run.peak_bytes, std::nullopt);
  EXPECT_EQ(run.initial_loss, std::nullopt);
  EXPECT_EQ(run.loss_scale_final, std::nullopt);
  EXPECT_EQ(run.exit_code, std::nullopt);
  EXPECT_FALSE(run.complete);
  const queries::OpRow op = queries::ops(report).at(0);
  EXPECT_EQ(op.local, std::nullopt);
  EXPECT_EQ(op.ranges, std::nullopt);
  EXPECT_EQ(op.signature, "") << "a signature that was never interned";
  const queries::EventRow read = queries::events(report).at(0);
  EXPECT_EQ(read.first_op, "");
  EXPECT_EQ(read.first_op_phase, std::nullopt);
  EXPECT_EQ(read.value, std::nullopt);
  EXPECT_EQ(read.fp32_holds, std::nullopt);
  EXPECT_EQ(read.outcome_op, "");
  EXPECT_FALSE(read.by_scaler);
  EXPECT_EQ(run.overflow_events, 0) << "no scaler saw it";
  EXPECT_EQ(run.nonfinite_events, 1);
  EXPECT_EQ(read.largest_safe_scale, std::nullopt);
}

TEST_F(RoundTrip, APartOfTheCallsWithStatisticsIsPooledAlone) {
  Batch batch = two_steps();
  batch.calls[2].local.reset();
  batch.calls[2].ranges->smallest = 0.0;  // 0 means that there is no smallest magnitude
  write(batch);
  const queries::OpRow linear = queries::ops(queries::Report(path)).at(0);
  EXPECT_EQ(linear.local, an_error());
  EXPECT_EQ(linear.ranges->smallest, 0.125);
}

TEST_F(RoundTrip, TheMostFrequentShapesAndTheLastScaleAreShown) {
  Batch batch = two_steps();
  batch.signatures.push_back({2, "f32[5,4]"});
  batch.calls = {call(1, 1, 1), call(1, 1, 2), call(2, 1, 2), call(2, 1, 1), call(2, 1, 2)};
  batch.calls[2].dtype_out = DType::Float;
  batch.calls[3].scale = 8.0;
  batch.calls[1].scale = 16.0;
  write(batch);
  const queries::OpRow linear = queries::ops(queries::Report(path)).at(0);
  EXPECT_EQ(linear.calls, 5);
  EXPECT_EQ(linear.signature, "f32[8,4] f32[3,4]") << "with types: 2 and 2 and 1, the earlier of equals";
  EXPECT_EQ(linear.dtype_out, DType::Half);
  EXPECT_EQ(linear.scale, 8.0);
}

TEST_F(RoundTrip, SegmentsOfAStepStaySeparate) {
  Batch batch = two_steps();
  batch.segments[1].step = 1;
  batch.segments[1].position = 1;
  write(batch);
  const queries::Report report(path);
  const auto ops = queries::ops(report);
  ASSERT_EQ(ops.size(), 4u);
  EXPECT_EQ(ops[0].call_site, "fc/linear");
  EXPECT_EQ(ops[1].call_site, "fc/linear#2");
  EXPECT_EQ(ops[1].position, 1);
  EXPECT_EQ(queries::events(report).at(0).first_op, "backward fc/mm#2");
  EXPECT_EQ(queries::runs(report).at(0).ms_per_step, 10.0) << "first start to last end";
}

TEST_F(RoundTrip, StepsOutsideTheRecordingAreCountedButNotTimed) {
  Batch batch;
  batch.segments = {segment(1, 0, 0, 100), segment(2, 1, 100, 103), segment(3, 2, 103, 203), segment(4, 3, 203, 208)};
  batch.segments[2].recorded = false;
  batch.segments[3].skipped = true;
  batch.segments[3].overhead_ns = 2'000'000;
  const auto run_id = write(batch);
  const queries::Report report(path);
  const queries::RunRow run = queries::runs(report).at(0);
  EXPECT_EQ(run.steps, 3) << "segment 0 is not a step";
  EXPECT_EQ(run.recorded_steps, 2);
  EXPECT_EQ(run.skipped_steps, 1);
  EXPECT_EQ(run.ms_per_step, 4.0);
  EXPECT_EQ(run.overhead_ms_per_step, 1.0);
  EXPECT_EQ(queries::last_step(report, run_id), 3);
  EXPECT_EQ(queries::last_step(report, run_id + 1), std::nullopt);
}

TEST_F(RoundTrip, ValuesThatAreNotFiniteComeThrough) {
  Batch batch = two_steps();
  batch.losses[1].value = kNan;
  batch.scale_updates[1].scale_after = kInf;
  batch.events[0].scale_before = kInf;
  batch.events[0].parameters[0].finite_amax = kNan;
  batch.calls[0].local->sum_product = kNan;
  batch.calls[1].local->sum_sq_error = kInf;
  batch.calls[1].scale = kNan;
  batch.calls[2].local->max_abs = kInf;
  write(batch);

  const queries::Report report(path);
  EXPECT_TRUE(std::isnan(queries::runs(report).at(0).final_loss.value()));
  EXPECT_EQ(queries::runs(report).at(0).loss_scale_final, kInf);
  EXPECT_EQ(queries::events(report).at(0).scale_before, kInf);
  EXPECT_TRUE(std::isnan(queries::events(report).at(0).parameters[0].finite_amax.value()));
  const auto ops = queries::ops(report);
  EXPECT_TRUE(std::isnan(ops[0].local->sum_product));
  EXPECT_EQ(ops[0].local->max_abs, kInf);
  EXPECT_EQ(ops[1].local->sum_sq_error, kInf);
  EXPECT_TRUE(std::isnan(ops[1].scale.value()));
}

TEST_F(RoundTrip, ARunIsCompleteOnlyWhenProgramAndRecorderEndedCleanly) {
  store::ReportWriter writer(path);
  for (const bool detaches : {false, true}) {
    for (const int exit_code : {0, 3, 139}) {
      const auto run = writer.begin_run(start_of("O0"));
      writer.attach(run, {});
      if (detaches) writer.detach(run, {});
      writer.end_run(run, exit_code);
    }
  }
  std::vector<bool> complete;
  for (const queries::RunRow& run : queries::runs(queries::Report(path))) complete.push_back(run.complete);
  EXPECT_EQ(complete, (std::vector<bool>{false, false, false, true, false, false}));
  EXPECT_EQ(queries::runs(queries::Report(path)).at(2).exit_code, 139);
}

TEST_F(RoundTrip, ARunOfADistributedProgramHasItsPlace) {
  store::ReportWriter writer(path);
  RunStart start = start_of("O1");
  start.repeat = 2;
  RunAttach attach;
  attach.rank = 3;
  attach.world_size = 8;
  attach.local_rank = 1;
  attach.host = "node7";
  writer.attach(writer.begin_run(start), attach);
  writer.attach(writer.begin_run(start_of("O1")), {});
  const auto runs = queries::runs(queries::Report(path));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].repeat, 2);
  EXPECT_EQ(runs[0].rank, 3);
  EXPECT_EQ(runs[0].world_size, 8);
  EXPECT_EQ(runs[0].local_rank, 1);
  EXPECT_EQ(runs[0].host, "node7");
  EXPECT_EQ(runs[1].rank, std::nullopt);
  EXPECT_EQ(runs[1].world_size, std::nullopt);
  EXPECT_EQ(runs[1].local_rank, std::nullopt);
  EXPECT_EQ(runs[1].host, "");
}

TEST_F(RoundTrip, RunsAreKeptApart) {
  const auto first = write(two_steps());
  const auto second = write(two_steps());
  const queries::Report report(path);
  EXPECT_EQ(queries::ops(report).size(), 4u);
  EXPECT_EQ(queries::ops(report, first).size(), 2u);
  EXPECT_EQ(queries::ops(report, second).at(0).run, second);
  EXPECT_EQ(queries::ops(report, second).at(0).calls, 2);
  EXPECT_EQ(queries::events(report, second).size(), 1u);
  EXPECT_EQ(queries::missing(report, first).size(), 1u);
  EXPECT_TRUE(queries::ops(report, 77).empty());
}

TEST_F(RoundTrip, AReportIsReadWhileItIsWritten) {
  store::ReportWriter writer(path);
  const auto run = writer.begin_run(start_of("O1"));
  const queries::Report report(path);
  EXPECT_TRUE(queries::ops(report).empty());
  EXPECT_EQ(queries::last_step(report, run), std::nullopt);
  writer.append(run, two_steps());
  EXPECT_EQ(queries::ops(report).size(), 2u);
  EXPECT_EQ(queries::last_step(report, run), 2);
  EXPECT_FALSE(queries::runs(report).at(0).complete);
}

TEST_F(RoundTrip, AHundredThousandCallsAreQuick) {
  Batch batch = two_steps();
  batch.calls.clear();
  for (int i = 0; i < 100'000; ++i) batch.calls.push_back(call(1 + i % 2, 1 + i % 2));
  write(batch);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(queries::ops(queries::Report(path)).at(0).calls, 50'000);
  // Measured: 0.2 s. The margin is for busy machines and sanitizers.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST_F(RoundTrip, TextOfAnyKindIsFitForJson) {
  Batch batch = two_steps();
  batch.call_sites[0].module = "caf\xE9\x1B[31m";
  write(batch);
  EXPECT_EQ(queries::ops(queries::Report(path)).at(0).module, "caf\xEF\xBF\xBD\xEF\xBF\xBD[31m");
}

}  // namespace round_trip_test
}  // namespace ampprof

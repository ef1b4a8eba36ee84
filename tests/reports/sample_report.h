// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "reports/store/writer.h"
#include "tests/temporary_folder.h"

namespace ampprof::testing_reports {

namespace fs = std::filesystem;

using test_support::bytes_of;
using test_support::TemporaryFolder;

inline void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

inline RunStart start_of(const std::string& level) {
  return {.level = level,
          .program = "./train --epochs 2",
          .started_at = "2026-01-02T03:04:05Z",
          .reference = "fp32",
          .target_gpu = "sm_90",
          .seed = std::nullopt};
}

inline ErrorStats an_error() {
  return {.count = 10,
          .excluded = 1,
          .flushed = 2,
          .max_abs = 0.25,
          .max_ulp = 0.5,
          .sum_ulp = 3.0,
          .sum_sq_error = 0.5,
          .sum_sq_reference = 8.0,
          .sum_sq_output = 8.5,
          .sum_product = 8.25};
}

inline RangeStats some_ranges() {
  return {.count = 11,
          .nonfinite = 1,
          .amax = 4.0,
          .smallest = 0.125,
          .reference_amax = 4.5,
          .rounds_to_inf = 1,
          .subnormal = 2,
          .rounds_to_zero = 3};
}

inline CallSite site(std::int64_t id, Phase phase, const std::string& module, const std::string& op,
                     std::int32_t ordinal = 0, const std::string& source = "") {
  return {.id = id, .phase = phase, .module = module, .op = op, .ordinal = ordinal, .source = source};
}

inline Segment segment(std::int64_t id, std::int64_t step, std::int64_t start_ms, std::int64_t end_ms) {
  return {.id = id, .step = step, .start_ns = start_ms * 1'000'000, .end_ns = end_ms * 1'000'000};
}

inline OpCall call(std::int64_t segment, std::int64_t call_site, std::int64_t signature = 1) {
  OpCall call;
  call.segment = segment;
  call.call_site = call_site;
  call.signature = signature;
  call.start_ns = segment * 1'000'000;
  call.duration_ns = 2'000;
  call.dtype_in = DType::Float;
  call.dtype_out = DType::Half;
  call.local = an_error();
  call.ranges = some_ranges();
  return call;
}

/// Returns two steps of two ops. The second step overflows.
inline Batch two_steps() {
  Batch batch;
  batch.signatures = {{1, "f32[8,4] f32[3,4]"}};
  batch.call_sites = {site(1, Phase::Forward, "fc", "linear", 0, "train.cpp:7"), site(2, Phase::Backward, "fc", "mm")};
  batch.segments = {segment(1, 1, 10, 14), segment(2, 2, 14, 20)};
  batch.calls = {call(1, 1), call(1, 2), call(2, 1), call(2, 2)};
  batch.losses = {{.segment = 1, .loss_id = 0, .value = 2.5}, {.segment = 2, .loss_id = 0, .value = 2.0}};
  batch.scale_updates = {{.segment = 1, .scale_before = 8, .scale_after = 8},
                         {.segment = 2, .scale_before = 8, .scale_after = 4, .overflow = true, .skipped = true}};
  NonfiniteEvent event;
  event.segment = 2;
  event.calls = 3;
  event.steps = 2;
  event.micro_batch = 3;
  event.cause = NonfiniteCause::TooLarge;
  event.value = 98304;
  event.fp32_holds = true;
  event.shadow_holds = false;
  event.outcome = NonfiniteOutcome::Skipped;
  event.reached = "fc.weight";
  event.outcome_site = 1;
  event.by_scaler = true;
  event.scale_before = 8;
  event.scale_after = 4;
  event.skipped = true;
  event.first_site = 2;
  event.largest_safe_scale = 6.5;
  event.parameters = {{.name = "fc.weight", .nan = 1, .inf = 2, .finite_amax = 7.0},
                      {.name = "fc.bias", .inf = 3, .finite_amax = std::nullopt}};
  event.chain = {2, 1};
  batch.events = {event};
  batch.missing = {{.what = "op calls", .count = 3, .cause = "graph capture", .remedy = "capture later"}};
  return batch;
}

/// Returns GPU activities and NVTX ranges in the steps of two_steps().
inline Batch activities_of_two_steps() {
  Batch batch;
  batch.activity_names = {{1, "ampere_h16816gemm_128x64_nn"}, {2, "memcpy host to device"}};
  batch.activities = {
      {.segment = 1, .call_site = 1, .start_ns = 11'000'000, .duration_ns = 900, .name = 1, .stream = 7},
      {.segment = 1,
       .start_ns = 10'500'000,
       .duration_ns = 300,
       .bytes = 4096,
       .name = 2,
       .stream = 8,
       .kind = GpuActivityKind::Memcpy},
      {.segment = 2, .call_site = 2, .start_ns = 16'000'000, .duration_ns = 800, .name = 1, .stream = 7}};
  batch.range_names = {{1, "epoch"}};
  batch.ranges = {{.name = 1, .start_ns = 10'000'000, .end_ns = 20'000'000},
                  {.depth = 1, .name = 1, .start_ns = 12'000'000, .end_ns = 13'000'000}};
  return batch;
}

/// Writes a report of one complete run with two_steps() and their GPU activities, as one file without a WAL.
inline void write_sample_report(const fs::path& path) {
  store::create_report(path, false);
  store::ReportWriter writer(path);
  const std::int64_t run = writer.begin_run(start_of("O1"));
  writer.attach(run, {.device = "cpu", .torch_version = "2.11.0", .settings_json = "{}", .level = "O1"});
  writer.append(run, two_steps());
  writer.append(run, activities_of_two_steps());
  writer.detach(run, {.peak_bytes = 1 << 20, .wall_ns = 20'000'000, .overhead_ns = 1'000'000});
  writer.end_run(run, 0);
  writer.fold();
}

}  // namespace ampprof::testing_reports

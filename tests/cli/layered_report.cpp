// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/layered_report.h"

#include <cmath>
#include <string>

#include "reports/records/exponents.h"
#include "reports/store/writer.h"

namespace ampprof::cli {
namespace {

constexpr std::int64_t kLayers = 3;
constexpr std::int64_t kSteps = 4;
constexpr std::int64_t kMillisecond = 1000000;

/// An op of a layer. Each layer calls all kParts, in order.
struct Part {
  const char* module;
  const char* op;
  Phase phase;
};

constexpr Part kParts[]{{"attn.query_key_value", "linear", Phase::Forward},
                        {"attn.out", "linear", Phase::Forward},
                        {"attn.out", "mm", Phase::Backward}};
constexpr std::int64_t kPartCount = std::size(kParts);

std::int64_t site_of(std::int64_t layer, std::int64_t part) { return 1 + layer * kPartCount + part; }

std::string module_of(std::int64_t layer, const char* part) {
  return "encoder.layers." + std::to_string(layer) + '.' + part;
}

void add_names(Batch& batch) {
  for (std::int64_t layer = 0; layer < kLayers; ++layer) {
    for (std::int64_t part = 0; part < kPartCount; ++part) {
      const auto& [module, op, phase] = kParts[part];
      batch.call_sites.push_back({site_of(layer, part), phase, module_of(layer, module), op, 0, "encoder.cpp:40"});
    }
  }
  batch.signatures = {{1, "f32[512,256] f32[256,256] f32[256]"}, {2, "f32[512,256] f32[250,256] f32[250]"}};
}

OpCall call(std::int64_t layer, std::int64_t part, std::int64_t step) {
  const bool backward = kParts[part].phase == Phase::Backward;
  const double error = std::exp2(-2.0 * (10.0 - static_cast<double>(layer)));
  OpCall call;
  call.segment = step;
  call.call_site = site_of(layer, part);
  call.signature = layer + 1 == kLayers ? 2 : 1;
  call.duration_ns = kMillisecond;
  call.dtype_in = DType::Float;
  call.dtype_out = DType::Half;
  call.cast_bytes = 4096;
  if (backward) call.scale = 65536;
  call.local = ErrorStats{.count = 100,
                          .max_ulp = 2,
                          .sum_ulp = 50,
                          .sum_sq_error = error,
                          .sum_sq_reference = 1,
                          .sum_sq_output = 1,
                          .sum_product = 1};
  call.ranges = RangeStats{.count = 100,
                           .amax = 32000,
                           .smallest = 0x1p-20,
                           .reference_amax = backward ? 70000.0 : 32000.0,
                           .rounds_to_inf = backward ? 1 : 0,
                           .subnormal = 10};
  ExponentHistogram histogram;
  histogram.counts[ExponentHistogram::bin_of(-16)] = 10;
  histogram.counts[ExponentHistogram::bin_of(2 + static_cast<int>(layer))] = 89;
  histogram.counts[ExponentHistogram::bin_of(17)] = backward ? 1 : 0;
  call.exponents = encode(histogram);
  return call;
}

void add_step(Batch& batch, std::int64_t step) {
  for (std::int64_t layer = 0; layer < kLayers; ++layer) {
    const double impact = 0x1p-10 * static_cast<double>(layer + 1);
    for (std::int64_t part = 0; part < kPartCount; ++part) {
      batch.calls.push_back(call(layer, part, step));
      if (kParts[part].phase == Phase::Backward) continue;
      batch.impacts.push_back({.segment = step, .call_site = site_of(layer, part), .name = "", .impact = impact});
      batch.casts.push_back({step, site_of(layer, part), DType::Float, DType::Half, 3, 1, 4096, 2000, layer});
    }
    batch.impacts.push_back({.segment = step,
                             .source = ImpactSource::Parameter,
                             .name = module_of(layer, "attn.out.weight"),
                             .impact = -impact / 2});
  }
}

Batch batch_of_run() {
  Batch batch;
  add_names(batch);
  for (std::int64_t step = 1; step <= kSteps; ++step) {
    const bool recorded = step % 2 == 0;
    batch.segments.push_back({.id = step,
                              .step = step,
                              .start_ns = step * 40 * kMillisecond,
                              .end_ns = step * 40 * kMillisecond + 32 * kMillisecond,
                              .overhead_ns = recorded ? 8 * kMillisecond : 0,
                              .recorded = recorded});
    if (recorded) add_step(batch, step);
  }
  batch.missing.push_back({"values of op calls", 412, "the report reached its size limit", "--max-report SIZE"});
  batch.missing.push_back({"local error of op calls", 6, "native_dropout is random", ""});
  batch.missing.push_back({"local error of op calls", 2, "bernoulli_.float is random", ""});
  return batch;
}

}  // namespace

void write_layered_report(const std::filesystem::path& path) {
  store::create_report(path, true);
  store::ReportWriter writer(path);
  for (const char* level : {"O1", "O2"}) {
    const std::int64_t run = writer.begin_run({.level = level,
                                               .program = "./train --layers 3",
                                               .started_at = "2026-01-02T03:04:05Z",
                                               .reference = "fp32",
                                               .target_gpu = "sm_90",
                                               .seed = 1});
    writer.attach(run, {"cpu", "2.11.0", "{}", level});
    writer.append(run, batch_of_run());
    if (level == std::string("O2")) continue;  // O2 was killed
    writer.detach(run, {.peak_bytes = 64000000, .wall_ns = 160 * kMillisecond, .overhead_ns = 16 * kMillisecond});
    writer.end_run(run, 0);
  }
  writer.fold();
}

}  // namespace ampprof::cli

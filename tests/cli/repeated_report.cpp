// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/repeated_report.h"

#include "reports/store/writer.h"

namespace ampprof::cli {
namespace {

constexpr std::int64_t kSteps = 4;
constexpr std::int64_t kMillisecond = 1000000;

std::vector<CallSite> sites(const std::string& front) {
  return {{1, Phase::Forward, front + ".0", "conv2d", 0, "net.cpp:12"},
          {2, Phase::Forward, front + ".1", "conv2d", 0, "net.cpp:13"},
          {3, Phase::Forward, "classifier", "linear", 0, "net.cpp:14"},
          {4, Phase::Backward, "classifier", "mm", 0, ""}};
}

std::vector<InternedText> signatures(bool half) {
  const std::string type = half ? "f16" : "f32";
  return {{1, "f32[64,1,28,28] f32[32,1,3,3] groups=1"},
          {2, "f32[64,32,26,26] f32[64,32,3,3] groups=1"},
          {3, "f32[64,128] f32[10,128] f32[10]"},
          {4, type + "[10,64] " + type + "[64,128]"}};
}

OpCall call(std::int64_t site, std::int64_t step, bool half, std::int64_t duration_ns, bool overflows) {
  OpCall call;
  call.segment = step;
  call.call_site = site;
  call.signature = site;
  call.duration_ns = duration_ns;
  call.dtype_in = half && site == 4 ? DType::Half : DType::Float;
  call.dtype_out = half ? DType::Half : DType::Float;
  if (half) {
    const double error = 0x1p-22 * static_cast<double>(site);
    call.local = ErrorStats{.count = 100, .sum_sq_error = error, .sum_sq_reference = 1, .sum_sq_output = 1};
  }
  call.ranges = RangeStats{.count = 100, .nonfinite = overflows ? 8 : 0, .amax = 2, .reference_amax = 2};
  return call;
}

Batch batch_of(bool half, int repeat, const RepeatedReport& wanted) {
  Batch batch;
  batch.signatures = signatures(half);
  batch.call_sites = sites(wanted.front);
  const double scale = half ? 0.5 * wanted.slowness : 1.0;
  const auto step_ns = static_cast<std::int64_t>(scale * static_cast<double>((30 + repeat) * kMillisecond));
  for (std::int64_t step = 1; step <= kSteps; ++step) {
    const bool overflows = half && wanted.overflows && step == 2;
    batch.segments.push_back({.id = step,
                              .step = step,
                              .start_ns = step * 100 * kMillisecond,
                              .end_ns = step * 100 * kMillisecond + step_ns,
                              .overhead_ns = kMillisecond,
                              .skipped = overflows});
    batch.losses.push_back({step, 0, 2.0 / static_cast<double>(step)});
    for (std::int64_t site = 1; site <= 4; ++site) {
      batch.calls.push_back(call(site, step, half, step_ns / 10, overflows && site == 4));
    }
    if (half) {
      batch.casts.push_back({step, 1, DType::Float, DType::Half, 2, 0, 0, 0, 0});
      batch.scale_updates.push_back({step, 0, 1024, overflows ? 512.0 : 1024.0, overflows, overflows});
    }
    if (!overflows) continue;
    NonfiniteEvent event;
    event.segment = step;
    event.by_scaler = true;
    event.outcome = NonfiniteOutcome::Skipped;
    event.scale_before = 1024;
    event.scale_after = 512;
    event.skipped = true;
    event.first_site = 4;
    event.parameters = {{"classifier.weight", 0, 8, 60000.0}};
    event.chain = {4};
    batch.events.push_back(event);
  }
  return batch;
}

}  // namespace

void write_repeated_report(const std::filesystem::path& path, const RepeatedReport& wanted) {
  store::create_report(path, true);
  store::ReportWriter writer(path);
  for (const char* level : {"O0", "O1"}) {
    for (int repeat = 0; repeat < wanted.repeats; ++repeat) {
      const std::int64_t run = writer.begin_run({.level = level,
                                                 .program = "./train",
                                                 .started_at = "2026-01-02T03:04:05Z",
                                                 .reference = "fp32",
                                                 .target_gpu = "sm_90",
                                                 .seed = 1,
                                                 .repeat = repeat});
      const bool half = level == std::string("O1");
      const char* settings = half ? R"({"deterministic":false,"fp16_emulated":true})" : R"({"deterministic":false})";
      writer.attach(run, {"cpu", "2.11.0", settings, level});
      writer.append(run, batch_of(half, repeat, wanted));
      writer.detach(run, {.peak_bytes = 64000000 + repeat * 1000, .wall_ns = 400 * kMillisecond, .overhead_ns = 4});
      writer.end_run(run, 0);
    }
  }
  writer.fold();
}

}  // namespace ampprof::cli

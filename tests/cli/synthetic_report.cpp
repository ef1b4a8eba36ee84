// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/synthetic_report.h"

#include <limits>

#include "reports/records/exponents.h"
#include "reports/store/writer.h"

namespace ampprof::cli {
namespace {

constexpr std::int64_t kSteps = 12;
constexpr std::int64_t kMillisecond = 1000000;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

enum Site : std::int64_t { kConv = 1, kLinear, kLinearBackward, kConvBackward, kUpdate };

std::vector<CallSite> sites() {
  return {{kConv, Phase::Forward, "features.conv1", "conv2d", 0, "train.cpp:31"},
          {kLinear, Phase::Forward, "classifier.fc2", "linear", 0, ""},
          {kLinearBackward, Phase::Backward, "classifier.fc2", "mm", 0, ""},
          {kConvBackward, Phase::Backward, "features.conv1", "convolution_backward", 0, ""},
          {kUpdate, Phase::Optimizer, "features.conv1", "add_.Tensor", 0, ""}};
}

std::vector<InternedText> signatures() {
  return {{kConv, "f32[64,1,28,28] f32[32,1,3,3] f32[32] groups=1"},
          {kLinear, "f32[64,128] f32[10,128] f32[10]"},
          {kLinearBackward, "f16[10,64] f16[64,128]"},
          {kConvBackward, "f16[64,32,26,26] f16[64,1,28,28] f16[32,1,3,3] groups=1"},
          {kUpdate, "f32[32,1,3,3] f32[32,1,3,3]"}};
}

// The relative error is 2^-11 in forward and 2^-10 in backward.
ErrorStats error_of(Site site) {
  const bool backward = site == kLinearBackward || site == kConvBackward;
  const double error = backward ? 0x1p-20 : 0x1p-22;
  return {.count = 1000,
          .flushed = site == kConvBackward ? 7 : 0,
          .max_abs = 0x1p-9,
          .max_ulp = backward ? 2.5 : 0.5,
          .sum_ulp = 125,
          .sum_sq_error = error,
          .sum_sq_reference = 1,
          .sum_sq_output = 1,
          .sum_product = 1};
}

// 10 of 100 gradients of the convolution are below the range of FP16.
std::string exponents_of(Site site) {
  ExponentHistogram histogram;
  histogram.counts[ExponentHistogram::bin_of(3)] = site == kConvBackward ? 90 : 100;
  if (site == kConvBackward) histogram.counts[ExponentHistogram::bin_of(-30)] = 10;
  return encode(histogram);
}

OpCall call(Site site, std::int64_t segment, const std::string& level) {
  const bool half = level != "O0" && site != kUpdate;
  const bool backward = site == kLinearBackward || site == kConvBackward;
  const bool overflows = site == kConvBackward && level == "O1" && segment == 3;
  OpCall call;
  call.segment = segment;
  call.call_site = site;
  call.signature = site;
  call.start_ns = segment * 40 * kMillisecond + site * kMillisecond;
  call.duration_ns = kMillisecond / 2;
  call.dtype_in = half && backward ? DType::Half : DType::Float;
  call.dtype_out = half ? DType::Half : DType::Float;
  if (half) call.local = error_of(site);
  if (half && backward) call.scale = segment <= 3 ? 65536 : 32768;
  if (half) call.exponents = exponents_of(site);
  call.ranges = RangeStats{.count = 1000, .nonfinite = overflows ? 4 : 0, .amax = 4, .reference_amax = 4};
  return call;
}

/// Adds impacts, casts and weight updates of a step with AMP.
void add_effects(Batch& batch, std::int64_t step, bool overflowed) {
  const auto impact = [&](Site site, double value) {
    LossImpact row{.segment = step, .call_site = site, .name = "", .impact = value};
    if (overflowed) {
      row.impact = std::nullopt;
      row.gap = ImpactGap::GradientNotFinite;
    }
    batch.impacts.push_back(row);
  };
  impact(kConv, 0x1p-6);
  impact(kLinear, -0x1p-12);
  batch.casts.push_back({step, kConv, DType::Float, DType::Half, 3, 1, 1000, 2000, 0});
  batch.casts.push_back({step, kLinear, DType::Float, DType::Half, 3, 2, 500, 1000, 4});
  if (overflowed) return;
  batch.updates.push_back({step, kUpdate, "features.conv1.weight", DType::Float, 288, 72, 144, 576});
  batch.updates.push_back({step, kUpdate, "features.conv1.bias", DType::Float, 32, std::nullopt, 8, 32});
}

double loss_at(std::int64_t step, const std::string& level) {
  if (level == "O3" && step > 1) return kNan;
  return 2.25 / static_cast<double>(step) + (level == "O1" ? 0x1p-12 : 0);
}

NonfiniteEvent overflow() {
  return {.segment = 3,
          .first_site = kConvBackward,
          .micro_batch = 1,
          .cause = NonfiniteCause::TooLarge,
          .value = 524288,
          .fp32_holds = true,
          .shadow_holds = std::nullopt,
          .outcome = NonfiniteOutcome::Skipped,
          .reached = "features.conv1.weight",
          .by_scaler = true,
          .scale_before = 65536,
          .scale_after = 32768,
          .skipped = true,
          .largest_safe_scale = 8192,
          .largest_safe_scale_is_bound = true,
          .parameters = {{"features.conv1.weight", 0, 3, 65504.0}, {"features.conv1.bias", 1, 0, std::nullopt}},
          .chain = {kConvBackward}};
}

Batch batch_of(const std::string& level) {
  Batch batch;
  batch.signatures = signatures();
  batch.call_sites = sites();
  for (std::int64_t step = 1; step <= kSteps; ++step) {
    const bool skipped = level == "O1" && step == 3;
    batch.segments.push_back({.id = step,
                              .step = step,
                              .start_ns = step * 40 * kMillisecond,
                              .end_ns = step * 40 * kMillisecond + 32 * kMillisecond,
                              .overhead_ns = 8 * kMillisecond,
                              .skipped = skipped});
    batch.losses.push_back({step, 0, loss_at(step, level)});
    if (level == "O1") add_effects(batch, step, skipped);
    for (const Site site : {kConv, kLinear, kLinearBackward, kConvBackward, kUpdate}) {
      if (site == kUpdate && skipped) continue;
      batch.calls.push_back(call(site, step, level));
    }
  }
  if (level == "O1") {
    batch.events.push_back(overflow());
    for (std::int64_t step = 1; step <= kSteps; ++step) {
      const double scale = step <= 3 ? 65536 : 32768;
      batch.scale_updates.push_back({step, 0, scale, step == 3 ? 32768 : scale, step == 3, step == 3});
    }
  }
  return batch;
}

std::string settings_of(const std::string& level) {
  return R"({"tf32_matmul":false,"threads":2,"fp16_emulated":)" + std::string(level == "O0" ? "false}" : "true}");
}

void write_run(store::ReportWriter& writer, const std::string& level) {
  const std::int64_t run = writer.begin_run({.level = level,
                                             .program = "sample:mnist_cnn",
                                             .started_at = "2026-01-02T03:04:05Z",
                                             .reference = "fp32",
                                             .target_gpu = "sm_90",
                                             .seed = std::nullopt});
  writer.attach(run, {"cpu", "2.11.0", settings_of(level), level});
  writer.append(run, batch_of(level));
  writer.detach(run, {.peak_bytes = 64000000, .wall_ns = 480 * kMillisecond, .overhead_ns = 96 * kMillisecond});
  writer.end_run(run, level == "O3" ? 3 : 0);
  if (level != "O3") return;
  writer.add_missing(run, {"local error of dropout", 12, "Its result is random.", ""});
  writer.add_missing(run, {"a tail of the run", 1, "The program ended early.", "Read what it printed."});
}

}  // namespace

void write_synthetic_report(const std::filesystem::path& path) {
  store::create_report(path, true);
  store::ReportWriter writer(path);
  for (const char* level : {"O0", "O1", "O3"}) write_run(writer, level);
  writer.fold();
}

}  // namespace ampprof::cli

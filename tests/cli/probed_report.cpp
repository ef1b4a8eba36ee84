// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/probed_report.h"

#include "reports/store/writer.h"

namespace ampprof::cli {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr const char* kDevice = "NVIDIA H200";

enum Site : std::int64_t { kConv = 1, kLinear, kLinearBackward };

struct Matmul {
  CallSite site;
  const char* signature;
};

std::vector<Matmul> matmuls() {
  return {{{kConv, Phase::Forward, "features.conv1", "conv2d", 0, ""},
           "f32[64,3,32,32] f32[64,3,3,3] f32[64] stride=1 padding=1 dilation=1 groups=1"},
          {{kLinear, Phase::Forward, "classifier.fc", "linear", 0, ""}, "f32[512,1000] f32[1001,1000] f32[1001]"},
          {{kLinearBackward, Phase::Backward, "classifier.fc", "mm", 0, ""}, "f16[1001,512] f16[512,1000]"}};
}

DType type_of(Site site, bool half) { return half || site == kLinearBackward ? DType::Half : DType::Float; }

ProbedMatmul probed(Site site, bool half) {
  const Matmul matmul = matmuls()[site - 1];
  return {matmul.site.op, matmul.signature, type_of(site, half)};
}

ProbeTime time_of(Site site, Arithmetic arithmetic, double median_us, bool padded = false,
                  std::optional<bool> benchmark = {}) {
  return {.matmul = probed(site, true),
          .arithmetic = arithmetic,
          .is_padded = padded,
          .sizes = padded ? "padded" : "as they are",
          .cudnn_benchmark = benchmark,
          .timing = {median_us, median_us / 64, 15, 20, 1980, 1965},
          .device = kDevice};
}

ProbeRecords times() {
  constexpr Arithmetic kHalf{DType::Half};
  constexpr Arithmetic kTf32{DType::Float, true};
  constexpr Arithmetic kFloat{DType::Float};
  ProbeRecords records;
  records.times = {time_of(kLinear, kHalf, 64),
                   time_of(kLinear, kHalf, 40, true),
                   time_of(kLinear, {DType::BFloat16}, 66),
                   time_of(kLinear, kTf32, 128),
                   time_of(kLinear, kFloat, 512),
                   time_of(kConv, kHalf, 800, false, false),
                   time_of(kConv, kHalf, 400, false, true),
                   time_of(kConv, kHalf, 820, true, false),
                   time_of(kConv, kHalf, 410, true, true),
                   time_of(kConv, kTf32, 960, false, true)};
  return records;
}

ProbeAlgorithm answer_for(Site site, bool half) {
  ProbeAlgorithm answer{.matmul = probed(site, half), .library_version = 130100, .device = kDevice};
  if (site == kLinearBackward && half) {
    answer.failure = "cublasLt has no algorithm for this GEMM";
  } else {
    answer.algorithm =
        GemmAlgorithm{half || site == kLinearBackward ? 0x10202 : 0x80201, 66, "128x256", 34, 1, 0.75, 0, {2, 2, 2, 2}};
  }
  return answer;
}

void write_run(store::ReportWriter& writer, const std::string& level) {
  const bool half = level != "O0";
  RunStart start;
  start.level = level;
  start.program = "./train";
  start.started_at = "2026-01-02T03:04:05Z";
  start.reference = "off";
  start.target_gpu = "sm_90";
  const std::int64_t run = writer.begin_run(start);
  writer.attach(run, {.device = "cuda",
                      .torch_version = "2.11.0",
                      .settings_json = R"({"tf32_matmul":false,"tf32_cudnn":true,"cudnn_benchmark":true})",
                      .level = level});
  Batch batch;
  batch.segments.push_back({.id = 1, .step = 1, .start_ns = 0, .end_ns = 9 * kMillisecond});
  for (const Matmul& matmul : matmuls()) {
    const auto site = static_cast<Site>(matmul.site.id);
    batch.call_sites.push_back(matmul.site);
    batch.signatures.push_back({matmul.site.id, matmul.signature});
    OpCall call;
    call.segment = 1;
    call.call_site = call.signature = site;
    call.start_ns = site * kMillisecond;
    call.duration_ns = kMillisecond;
    call.dtype_in = site == kLinearBackward ? DType::Half : DType::Float;
    call.dtype_out = type_of(site, half);
    batch.calls.push_back(call);
    if (half) batch.casts.push_back({1, matmul.site.id, DType::Float, DType::Half, 1, 0, 0, 0, 0});
  }
  batch.missing.push_back({kAllGpuActivity, 1, "\"nsys\" uses CUPTI, which serves one tool at a time", "do without"});
  writer.append(run, batch);
  writer.detach(run, {.peak_bytes = 1 << 26, .wall_ns = 9 * kMillisecond, .overhead_ns = 0});
  writer.end_run(run, 0);
  ProbeRecords records = half ? times() : ProbeRecords{};
  for (const Site site : {kLinear, kLinearBackward}) records.algorithms.push_back(answer_for(site, half));
  writer.add_probe(run, records);
}

}  // namespace

void write_probed_report(const std::filesystem::path& path) {
  store::create_report(path, false);
  store::ReportWriter writer(path);
  for (const char* level : {"O0", "O1"}) write_run(writer, level);
  writer.fold();
}

}  // namespace ampprof::cli

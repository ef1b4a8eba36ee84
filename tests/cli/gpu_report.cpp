// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/gpu_report.h"

#include "reports/store/writer.h"

namespace ampprof::cli {
namespace {

constexpr std::int64_t kSteps = 4;
constexpr std::int64_t kMicrosecond = 1'000;
constexpr std::int64_t kStep = 1'000 * kMicrosecond;

enum Site : std::int64_t { kLinear = 1, kAttention, kAdd, kLinearBackward };
enum Name : std::int32_t { kFfma = 1, kTensor, kOdd, kFused, kElementwise, kCast, kUpload, kFill };

std::vector<CallSite> sites() {
  return {{kLinear, Phase::Forward, "encoder.fc", "linear", 0, "model.cpp:12"},
          {kAttention, Phase::Forward, "encoder.attn", "scaled_dot_product_attention", 0, ""},
          {kAdd, Phase::Forward, "encoder", "add.Tensor", 0, ""},
          {kLinearBackward, Phase::Backward, "encoder.fc", "mm", 0, ""}};
}

std::vector<InternedText> signatures() {
  return {{kLinear, "f32[256,512] f32[512,512] f32[512]"},
          {kAttention, "f16[8,4,64,64] f16[8,4,64,64] f16[8,4,64,64]"},
          {kAdd, "f16[256,512] f16[256,512]"},
          {kLinearBackward, "f16[512,256] f16[256,512]"}};
}

std::vector<InternedText> names() {
  return {{kFfma, "ampere_sgemm_128x64_tn"},
          {kTensor,
           "sm90_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__"
           "5x_cublas"},
          {kOdd,
           "sm80_xmma_gemm_f16f16_f32f32_f32_nt_n_tilesize64x64x8_stage3_warpsize1x4x1_ffma_aligna4_alignc4_execute_"
           "kernel__5x_cublas"},
          {kFused, "triton_per_fused_attention_0"},
          {kElementwise,
           "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arrayIPcLm1EEEEviT0_T1_"},
          {kCast, "_ZN2at6native27unrolled_elementwise_kernelINS0_19float16_copy_kernelEEEvi"},
          {kUpload, "memcpy host to device"},
          {kFill, "memset"}};
}

struct Launch {
  Site site;
  Name name;
  std::int64_t start_us;
  std::int64_t duration_us;
  std::int32_t stream = 7;
};

std::vector<Launch> launches_of(const std::string& level) {
  const bool half = level != "O0";
  std::vector<Launch> launches{{Site{}, kUpload, 10, 20, 13},
                               {kLinear, half ? kTensor : kFfma, 100, half ? 30 : 120},
                               {kAttention, kFused, 240, 40},
                               {kAdd, kElementwise, 300, 8},
                               {kLinearBackward, half ? kOdd : kFfma, 500, half ? 60 : 130},
                               {Site{}, kFill, 700, 4}};
  if (half) launches.push_back({kLinear, kCast, 80, 10});
  return launches;
}

GpuActivity activity_of(const Launch& launch, std::int64_t step) {
  const bool is_copy = launch.name == kUpload;
  const bool is_kernel = launch.name < kUpload;
  return {.segment = step,
          .call_site = launch.site,
          .start_ns = step * kStep + launch.start_us * kMicrosecond,
          .duration_ns = launch.duration_us * kMicrosecond,
          .launched_ns = step * kStep + (launch.start_us - 5) * kMicrosecond,
          .bytes = is_kernel ? 0 : 1 << 20,
          .name = launch.name,
          .stream = launch.stream,
          .kind = is_kernel ? GpuActivityKind::Kernel
                  : is_copy ? GpuActivityKind::Memcpy
                            : GpuActivityKind::Memset};
}

OpCall call_of(Site site, std::int64_t step, bool half) {
  OpCall call;
  call.segment = step;
  call.call_site = call.signature = site;
  call.start_ns = step * kStep + site * 200 * kMicrosecond;
  call.duration_ns = 20 * kMicrosecond;
  call.dtype_in = half && site != kLinear ? DType::Half : DType::Float;
  call.dtype_out = half ? DType::Half : DType::Float;
  return call;
}

/// Returns settings with the GPU's clocks. At O1 the power cap reduces the clocks.
std::string settings_of(const std::string& level) {
  return level == "O0"
             ? R"({"tf32_matmul":false,"gpus":[{"device":0,"name":"NVIDIA H100","readings":9,)"
               R"("sm_mhz_lowest":1980,"sm_mhz":1980,"sm_mhz_highest":1980,"memory_mhz":2619,"held_back_by":{}}]})"
             : R"({"tf32_matmul":false,"gpus":[{"device":0,"name":"NVIDIA H100","readings":9,)"
               R"("sm_mhz_lowest":1410,"sm_mhz":1755,"sm_mhz_highest":1980,"memory_mhz":2619,)"
               R"("held_back_by":{"power cap":6}}]})";
}

void write_run(store::ReportWriter& writer, const std::string& level) {
  RunStart start;
  start.level = level;
  start.program = "./train";
  start.started_at = "2026-01-02T03:04:05Z";
  start.reference = "off";
  start.target_gpu = "sm_90";
  const std::int64_t run = writer.begin_run(start);
  writer.attach(
      run, {.device = "NVIDIA H100", .torch_version = "2.11.0", .settings_json = settings_of(level), .level = level});
  Batch batch;
  batch.call_sites = sites();
  batch.signatures = signatures();
  batch.activity_names = names();
  batch.range_names = {{1, "epoch"}, {2, "loader: fetch"}};
  batch.ranges = {{.name = 1, .start_ns = kStep, .end_ns = (kSteps + 1) * kStep}};
  for (std::int64_t step = 1; step <= kSteps; ++step) {
    const std::int64_t from = step * kStep;
    batch.segments.push_back({.id = step, .step = step, .start_ns = from, .end_ns = from + kStep});
    for (const CallSite& site : sites()) {
      batch.calls.push_back(call_of(static_cast<Site>(site.id), step, level != "O0"));
      if (level != "O0") batch.casts.push_back({step, site.id, DType::Float, DType::Half, 1, 0, 0, 0, 0});
    }
    for (const Launch& launch : launches_of(level)) batch.activities.push_back(activity_of(launch, step));
    batch.ranges.push_back({.depth = 1, .name = 2, .start_ns = from, .end_ns = from + 90 * kMicrosecond});
  }
  writer.append(run, batch);
  writer.detach(run, {.peak_bytes = 1 << 26, .wall_ns = 8 * kStep, .overhead_ns = 0, .gpu_busy_ns = 2 * kStep});
  writer.end_run(run, 0);
}

}  // namespace

void write_gpu_report(const std::filesystem::path& path) {
  store::create_report(path, false);
  store::ReportWriter writer(path);
  for (const char* level : {"O0", "O1"}) write_run(writer, level);
  writer.fold();
}

}  // namespace ampprof::cli

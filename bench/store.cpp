// SPDX-License-Identifier: Apache-2.0
// Times writing a report of ten million op calls, and each of its views: bench_store [CALLS [FILE [gpu]]]. FILE keeps
// the report. With `gpu`, each call launches a kernel, and each step has a hundred NVTX ranges.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "reports/records/exponents.h"
#include "reports/store/writer.h"
#include "tests/end_to_end/command.h"

namespace ampprof {
namespace {

constexpr std::int64_t kSites = 5'000;
constexpr std::int64_t kCallsPerStep = 1'000;
constexpr std::int64_t kStepsPerSample = 49;  // calls of every 49th step have errors, ranges and exponents
constexpr std::int64_t kStepsPerEvent = 100;
constexpr std::int64_t kRangesPerStep = 100;
constexpr std::int64_t kKernels = 40;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Batch names() {
  Batch batch;
  batch.signatures = {{1, "f16[64,512] f16[512,512]"}};
  for (std::int64_t id = 1; id <= kSites; ++id) {
    batch.call_sites.push_back({.id = id,
                                .phase = id % 2 == 0 ? Phase::Backward : Phase::Forward,
                                .module = fmt::format("encoder.layer{}.block{}", id % 50, id / 50),
                                .op = id % 3 == 0 ? "mm" : "add.Tensor",
                                .ordinal = 0,
                                .source = ""});
  }
  return batch;
}

void add_values(OpCall& call, std::int64_t i) {
  static const std::string exponents = [] {
    ExponentHistogram histogram;
    for (std::size_t bin = 40; bin < 70; ++bin) histogram.counts[bin] = 1'000;
    return encode(histogram);
  }();
  const auto error = 1e-4 * static_cast<double>(1 + i % 13);
  call.local = ErrorStats{.count = 32'768,
                          .max_abs = error,
                          .max_ulp = 0.5,
                          .sum_ulp = 8'000,
                          .sum_sq_error = error * error,
                          .sum_sq_reference = 1.0,
                          .sum_sq_output = 1.0,
                          .sum_product = 1.0};
  call.ranges = RangeStats{.count = 32'768, .amax = 3.0, .smallest = 1e-6, .reference_amax = 3.0};
  call.exponents = exponents;
}

/// Replaces the records in `batch`, those of the previous step, by the records of `step`.
void fill(Batch& batch, std::int64_t step) {
  batch.calls.resize(kCallsPerStep);
  std::int64_t now = step * 20'000'000;
  for (std::int64_t i = 0; i < kCallsPerStep; ++i) {
    OpCall& call = batch.calls[static_cast<std::size_t>(i)];
    call.segment = step;
    call.call_site = 1 + (step * kCallsPerStep + i) % kSites;
    call.signature = 1;
    call.start_ns = now += 1'000 + i % 7 * 100;
    call.duration_ns = 15'000 + (i * 37 + step) % 3'000;
    now += call.duration_ns;
    call.dtype_in = call.dtype_out = i % 4 == 0 ? DType::Half : DType::Float;
    call.local.reset();
    call.ranges.reset();
    call.exponents.clear();
    if (step % kStepsPerSample == 0) add_values(call, i);
  }
  batch.segments = {{.id = step, .step = step, .start_ns = step * 20'000'000, .end_ns = now}};
  const bool overflows = step % kStepsPerEvent == 0;
  batch.scale_updates = {{.segment = step,
                          .loss_id = 0,
                          .scale_before = 65536,
                          .scale_after = overflows ? 32768.0 : 65536.0,
                          .overflow = overflows,
                          .skipped = overflows}};
  batch.events.clear();
  if (overflows) {
    NonfiniteEvent& event = batch.events.emplace_back();
    event.segment = step;
    event.by_scaler = true;
    event.scale_before = 65536;
    event.scale_after = 32768;
    event.skipped = true;
  }
  batch.losses = {{.segment = step, .loss_id = 0, .value = 1.0 / static_cast<double>(step)}};
}

void add_gpu_names(Batch& batch) {
  for (std::int64_t id = 1; id <= kKernels; ++id) {
    batch.activity_names.push_back({id, id % 2 == 0 ? fmt::format("ampere_h16816gemm_{}x64_nn", 8 * id)
                                                    : fmt::format("_ZN2at6native{}elementwise_kernelEv", id + 10)});
  }
  batch.range_names = {{1, "step"}, {2, "layer"}};
}

/// Adds a kernel for each call of a step, in two streams, and NVTX ranges: the step, with nested ranges.
void fill_gpu(Batch& batch, std::int64_t step) {
  batch.activities.clear();
  for (const OpCall& call : batch.calls) {
    const auto i = std::ssize(batch.activities);
    batch.activities.push_back({.segment = step,
                                .call_site = call.call_site,
                                .start_ns = call.start_ns + 20'000 + i % 5 * 1'000,
                                .duration_ns = 9'000 + i % 11 * 700,
                                .launched_ns = call.start_ns + 2'000,
                                .name = static_cast<std::int32_t>(1 + call.call_site % kKernels),
                                .stream = static_cast<std::int32_t>(7 + i % 3 / 2)});
  }
  const auto& [from, to] = std::pair(batch.segments.front().start_ns, batch.segments.front().end_ns);
  batch.ranges = {{.depth = 0, .name = 1, .start_ns = from, .end_ns = to}};
  for (std::int64_t i = 0; i + 1 < kRangesPerStep; ++i) {
    const std::int64_t start = from + (to - from) * i / kRangesPerStep;
    batch.ranges.push_back({.depth = 1, .name = 2, .start_ns = start, .end_ns = start + 100'000});
  }
}

void write(const std::filesystem::path& path, std::int64_t calls, bool with_gpu) {
  store::create_report(path, /*replace=*/false);
  store::ReportWriter writer(path);
  const auto run = writer.begin_run({.level = "O1",
                                     .program = "synthetic",
                                     .started_at = "2026-01-01T00:00:00Z",
                                     .reference = "off",
                                     .target_gpu = "sm_90",
                                     .seed = std::nullopt});
  writer.attach(run, {.device = "cpu", .torch_version = "2.11", .settings_json = "{}", .level = "O1"});
  Batch texts = names();
  if (with_gpu) add_gpu_names(texts);
  writer.append(run, texts);
  Batch batch;
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t step = 1; step <= calls / kCallsPerStep; ++step) {
    fill(batch, step);
    if (with_gpu) fill_gpu(batch, step);
    writer.append(run, batch);
  }
  writer.detach(run, {.peak_bytes = 1, .wall_ns = 1, .overhead_ns = 1});
  const double seconds = seconds_since(start);
  writer.end_run(run, 0);
  writer.fold();
  fmt::print("written: {:.2f} million calls/s on one thread, {:.1f} bytes a call\n",
             static_cast<double>(calls) / seconds / 1e6,
             static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(calls));
}

void time_command(const std::string& rest, const std::filesystem::path& folder) {
  const auto start = std::chrono::steady_clock::now();
  const auto result = testing::run_command(testing::ampprof() + " " + rest, folder);
  fmt::print("  {:34} {:.2f} s{}\n", rest, seconds_since(start), result.exit_code == 0 ? "" : "  FAILED " + result.err);
}

}  // namespace
}  // namespace ampprof

int main(int argc, char** argv) {
  using namespace ampprof;
  const std::int64_t calls = argc > 1 ? std::stoll(argv[1]) : 10'000'000;
  const ampprof::testing::TemporaryFolder folder;
  fmt::print("{} op calls, {} call sites, {} steps\n", calls, kSites, calls / kCallsPerStep);
  write(folder.path() / "r.ampprof", calls, argc > 3 && argv[3] == std::string("gpu"));
  time_command("show r.ampprof", folder.path());
  for (const char* view : {"runs", "ops", "events", "kernels", "idle", "tensor-cores", "ranges", "impact", "casts",
                           "optimizer", "loss-scale", "missing"}) {
    time_command(fmt::format("show r.ampprof {} --format csv", view), folder.path());
  }
  std::filesystem::copy_file(folder.path() / "r.ampprof", folder.path() / "s.ampprof");
  time_command("diff r.ampprof s.ampprof --format csv", folder.path());
  if (argc > 2) std::filesystem::copy_file(folder.path() / "r.ampprof", argv[2]);
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  fmt::print("  largest of them {:.0f} MB\n", static_cast<double>(usage.ru_maxrss) / 1024);
}

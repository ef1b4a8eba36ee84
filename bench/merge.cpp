// SPDX-License-Identifier: Apache-2.0
// Times merging the reports of many ranks, and `show ranks` of the merged report: bench_merge [REPORTS [CALLS [FILE]]].
// CALLS is the number of op calls per report. FILE keeps the merged report, for bench_gui.
#include "reports/merge/merge.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "analysis/ranks/ranks.h"
#include "reports/store/writer.h"
#include "tests/temporary_folder.h"

namespace ampprof {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSitesOfModel = 500;
constexpr std::int64_t kStepNs = 20'000'000;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double peak_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

Batch sites_of_model() {
  Batch batch;
  batch.signatures = {{1, "f16[64,512] f16[512,512]"}};
  for (std::int64_t id = 1; id <= kSitesOfModel; ++id) {
    const bool is_collective = id % 50 == 0;
    batch.call_sites.push_back({.id = id,
                                .phase = id % 2 == 0 ? Phase::Backward : Phase::Forward,
                                .module = is_collective ? "" : fmt::format("encoder.layer{}", id / 10),
                                .op = is_collective ? "c10d::allreduce_" : "mm",
                                .ordinal = static_cast<std::int32_t>(id % 10),
                                .source = ""});
  }
  return batch;
}

/// Returns the records of one step of a rank, with an error for every tenth call.
Batch step_of(std::int64_t rank, std::int64_t step) {
  Batch batch;
  std::int64_t now = step * kStepNs;
  for (std::int64_t site = 1; site <= kSitesOfModel; ++site) {
    OpCall& call = batch.calls.emplace_back();
    call.segment = step;
    call.call_site = site;
    call.signature = 1;
    call.start_ns = now;
    call.duration_ns = 15'000 + (site * 37 + step + rank) % 3'000;
    now += call.duration_ns + 1'000;
    call.dtype_in = call.dtype_out = DType::Half;
    if (site % 10 == 0) call.local = ErrorStats{.count = 1024, .sum_sq_error = 1e-6, .sum_sq_reference = 1.0};
  }
  batch.segments = {{.id = step, .step = step, .start_ns = step * kStepNs, .end_ns = now}};
  batch.losses = {{.segment = step, .loss_id = 0, .value = 1.0 / static_cast<double>(step)}};
  batch.scale_updates = {{.segment = step, .loss_id = 0, .scale_before = 65536, .scale_after = 65536}};
  return batch;
}

void write_rank(const fs::path& path, std::int64_t rank, std::int64_t ranks, std::int64_t calls) {
  store::create_report(path, /*replace=*/false);
  store::ReportWriter writer(path);
  const auto run = writer.begin_run({.level = "O1",
                                     .program = "synthetic",
                                     .started_at = "2026-01-01T00:00:00Z",
                                     .reference = "fp32",
                                     .target_gpu = "sm_90",
                                     .seed = std::nullopt});
  RunAttach attach{.device = "cpu", .torch_version = "2.11", .settings_json = "{}", .level = "O1"};
  attach.rank = rank;
  attach.world_size = ranks;
  attach.local_rank = rank % 8;
  attach.host = fmt::format("node{}", rank / 8);
  writer.attach(run, attach);
  writer.append(run, sites_of_model());
  for (std::int64_t step = 1; step <= calls / kSitesOfModel; ++step) writer.append(run, step_of(rank, step));
  writer.detach(run, {.peak_bytes = 1, .wall_ns = kStepNs * calls + rank, .overhead_ns = 1});
  writer.end_run(run, 0);
  writer.fold();
}

void report_merge(const std::vector<fs::path>& reports, const fs::path& target) {
  double mb = 0;
  for (const fs::path& report : reports) mb += static_cast<double>(fs::file_size(report)) / 1e6;
  const auto start = std::chrono::steady_clock::now();
  merge::merge_reports(reports, target, /*replace=*/false);
  const double seconds = seconds_since(start);
  fmt::print("merged {:.0f} MB in {:.2f} s: {:.0f} MB/s, peak {:.0f} MB\n", mb, seconds, mb / seconds, peak_mb());
}

void report_ranks(const fs::path& path) {
  const auto start = std::chrono::steady_clock::now();
  const queries::Report report(path);
  const double opened = seconds_since(start);
  const auto runs = queries::runs(report);
  const double read = seconds_since(start);
  const auto launches = analysis::ranked_launches(report, runs);
  fmt::print("show ranks of it: open {:.2f} s, runs {:.2f} s, ranks {:.2f} s; {} ranks, peak {:.0f} MB\n", opened,
             read - opened, seconds_since(start) - read, launches.front().ranks.size(), peak_mb());
}

}  // namespace
}  // namespace ampprof

int main(int argc, char** argv) {
  using namespace ampprof;
  const std::int64_t ranks = argc > 1 ? std::stoll(argv[1]) : 1024;
  const std::int64_t calls = argc > 2 ? std::stoll(argv[2]) : 100'000;
  const test_support::TemporaryFolder folder;
  std::vector<fs::path> reports;
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    reports.push_back(folder / fmt::format("r{}.ampprof", rank));
    write_rank(reports.back(), rank, ranks, calls);
  }
  fmt::print("{} reports of {} op calls, written in {:.0f} s, peak {:.0f} MB\n", ranks, calls, seconds_since(start),
             peak_mb());
  const fs::path all = argc > 3 ? fs::path(argv[3]) : folder / "all.ampprof";
  report_merge(reports, all);
  report_ranks(all);
}

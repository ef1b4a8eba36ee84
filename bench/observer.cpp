// SPDX-License-Identifier: Apache-2.0
// What recording costs: resnet18 at O1 with FP16 emulation, with and without ampprof in turn, as ratios of one run.
//
// The time of a step is the difference of a long and a short run of the program, so that loading does not count.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "reports/queries/queries.h"
#include "tests/end_to_end/command.h"

namespace ampprof {
namespace {

constexpr int kRounds = 3;
constexpr int kShort = 2;
constexpr int kLong = 8;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double seconds(const std::string& line, const std::filesystem::path& folder) {
  const auto start = std::chrono::steady_clock::now();
  const auto result = testing::run_command(line, folder);
  if (result.exit_code != 0) fmt::print(stderr, "{}\n{}", line, result.err);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string training(int steps) { return fmt::format(" --batch-size 32 --threads 1 --steps {}", steps); }

std::string plain(int steps) { return testing::program("sample_resnet18") + training(steps); }

std::string watched(const std::string& options, int steps) {
  return testing::ampprof() + " run --force -o r.ampprof " + options + " sample:resnet18" + training(steps);
}

double ms_per_step(double long_run, double short_run) { return (long_run - short_run) * 1000 / (kLong - kShort); }

/// Above the level after loading.
double peak_of(const std::filesystem::path& report) {
  return static_cast<double>(Report(report).runs().front().peak_bytes.value_or(0)) / 1e6;
}

void compare_steps(const std::filesystem::path& folder) {
  const std::vector<std::string> modes{
      "--reference off", "--no-inherited",       "--no-inherited --reference fp64", "--impact",
      "--inherited",     "--inherited --impact", "--inherited --reference fp64"};
  std::vector<double> peak_mb(modes.size());
  std::vector<double> plain_ms;
  std::vector<std::vector<double>> ratios(modes.size());
  for (int round = 0; round < kRounds; ++round) {
    const double base = ms_per_step(seconds(plain(kLong), folder), seconds(plain(kShort), folder));
    plain_ms.push_back(base);
    for (std::size_t i = 0; i < modes.size(); ++i) {
      const double time =
          ms_per_step(seconds(watched(modes[i], kLong), folder), seconds(watched(modes[i], kShort), folder));
      ratios[i].push_back(time / base);
      peak_mb[i] = peak_of(folder / "r.ampprof");
    }
  }
  fmt::print("resnet18, O1, batch 32, one thread: {:.0f} ms a step without ampprof\n", median(plain_ms));
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto [low, high] = std::ranges::minmax(ratios[i]);
    fmt::print("  {:32} {:.2f} times (median of {}; {:.2f} to {:.2f}), peak memory {:.0f} MB\n", modes[i],
               median(ratios[i]), kRounds, low, high, peak_mb[i]);
  }
  const Report report(folder / "r.ampprof");
  fmt::print("  {} op calls a step\n", report.runs().front().op_calls / kLong);
}

double nanoseconds(const std::string& line, const std::filesystem::path& folder) {
  return std::stod(testing::run_command(line, folder).out);
}

void compare_op_calls(const std::filesystem::path& folder) {
  const std::string loop = testing::program("bench_op_loop") + " 300000";
  std::vector<double> without, with;
  for (int round = 0; round < kRounds; ++round) {
    without.push_back(nanoseconds(loop, folder));
    with.push_back(nanoseconds(testing::ampprof() + " run --force -o r.ampprof --reference off -- " + loop, folder));
  }
  fmt::print(
      "an op call (add_ of 4 elements): {:.0f} ns without, {:.0f} ns with --reference off, so {:.0f} ns for it\n",
      median(without), median(with), median(with) - median(without));
}

}  // namespace
}  // namespace ampprof

int main() {
  const ampprof::testing::TemporaryFolder folder;
  ampprof::compare_op_calls(folder.path());
  ampprof::compare_steps(folder.path());
}

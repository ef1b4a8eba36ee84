// SPDX-License-Identifier: Apache-2.0
// Measures the accuracy of the loss impact: bench_impact [SEEDS] [SAMPLE] [LEVEL].
//
// For each sample, level and seed, compares the sum of a report's impacts with the true change of the loss due to mixed
// precision, loss(AMP) - loss(FP64) on the same weights and batch. Records with --reference fp64, since the rounding of
// FP32 is part of the true change, and with --inherited, since at O3 much of the run's own gradient is flushed to zero.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/records/loss_impact.h"
#include "reports/store/sqlite.h"
#include "tests/end_to_end/command.h"

namespace ampprof {
namespace {

/// Number of training steps. The last one is measured. The step before is recorded, too: a step begins with the first
/// op that requires a gradient, and the measured batch is rounded before that op.
constexpr int kStep = 20;
/// Compares only changes of the loss that are this many times larger than the change due to FP32.
constexpr double kNoise = 20.0;

struct Sample {
  std::string name;
  std::string options = "";
  std::string options_of_fp32_loss = "";  ///< further options at O2 and O3, where the loss is computed in FP32
};

// The batch of segmentation is so small that its sums fit FP16, that of resnet18 so small that it runs in acceptable
// time. segmentation sums its loss in FP64: in FP32, the error of the sums over pixels would be as large as that of
// FP16 in the model, and would differ between runs.
const std::vector<Sample> kSamples{{"mnist_cnn"},
                                   {"resnet18", " --batch-size 16"},
                                   {"segmentation", " --batch-size 8", " --fp64-loss"},
                                   {"transformer"}};

struct Measurement {
  double predicted = 0.0;
  double truth = 0.0;  ///< loss(AMP) - loss(FP64)
  double noise = 0.0;  ///< |loss(FP32) - loss(FP64)|

  bool counts() const { return std::abs(truth) > kNoise * noise; }
  double deviation() const { return std::abs(predicted / truth - 1.0); }
};

constexpr const char* kLastLoss = "SELECT value FROM loss ORDER BY rowid DESC LIMIT 1";

/// Selects the sum of the impacts of the last step alone, the number of impacts, and the number of unknown impacts
/// (gaps). Does not count ImpactGap::NoMaster as a gap: a half parameter without a master is its own reference.
constexpr const char* kLastImpacts =
    "SELECT total(impact), count(*), total(gap NOT IN (?, ?)) FROM loss_impact "
    "WHERE segment = (SELECT max(segment) FROM loss_impact)";

/// Runs a command line, and reads the impacts from its report. If the run failed or an impact is unknown, prints a line
/// on stderr and returns empty.
std::optional<Measurement> measure(const std::string& line, const std::filesystem::path& folder) {
  const auto result = testing::run_command(line, folder);
  const auto at = result.out.find("truth step");
  double loss64 = 0.0, loss32 = 0.0;
  if (result.exit_code != 0 || at == std::string::npos ||
      std::sscanf(result.out.c_str() + at, "truth step %*d loss64 %lf loss32 %lf", &loss64, &loss32) != 2) {
    fmt::print(stderr, "{}\n{}", line, result.err);
    return std::nullopt;
  }
  store::Database report(folder / "r.ampprof", store::OpenMode::Read);
  store::Statement loss(report, kLastLoss);
  loss.next();
  store::Statement impacts(report, kLastImpacts);
  impacts.put(static_cast<int>(ImpactGap::None)).put(static_cast<int>(ImpactGap::NoMaster)).next();
  const double predicted = impacts.real();
  if (impacts.integer() == 0 || impacts.integer() != 0) {
    fmt::print(stderr, "{}: there are impacts that are not known\n", line);
    return std::nullopt;
  }
  return Measurement{.predicted = predicted, .truth = loss.real() - loss64, .noise = std::abs(loss32 - loss64)};
}

double median(std::vector<double> values) {
  if (values.empty()) return NAN;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double correlation(const std::vector<Measurement>& all) {
  const auto count = static_cast<double>(all.size());
  double mean_x = 0.0, mean_y = 0.0;
  for (const auto& [x, y, noise] : all) mean_x += x / count, mean_y += y / count;
  double xy = 0.0, xx = 0.0, yy = 0.0;
  for (const auto& [x, y, noise] : all) {
    xy += (x - mean_x) * (y - mean_y);
    xx += (x - mean_x) * (x - mean_x);
    yy += (y - mean_y) * (y - mean_y);
  }
  return xy / std::sqrt(xx * yy);
}

/// Returns the correlation; "too few" for fewer than three points, since two always lie on a line.
std::string correlation_text(const std::vector<Measurement>& all) {
  return all.size() < 3 ? "too few" : fmt::format("{:.5f}", correlation(all));
}

void compare(const Sample& sample, const std::string& level, int seeds, const std::filesystem::path& folder) {
  std::vector<Measurement> compared;
  std::vector<double> deviations, sizes;
  int failed = 0;
  const std::string options = sample.options + (level == "O1" ? "" : sample.options_of_fp32_loss);
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto measured = measure(
        fmt::format("{0} run --force -o r.ampprof --impact --inherited --reference fp64 --steps {6}:{1} sample:{2}{3} "
                    "--opt-level {4} --seed {5} "
                    "--steps {1} --truth-step {1} --threads 1",
                    testing::ampprof(), kStep, sample.name, options, level, seed, kStep - 1),
        folder);
    failed += measured ? 0 : 1;
    if (!measured || !measured->counts()) continue;
    compared.push_back(*measured);
    deviations.push_back(measured->deviation());
    sizes.push_back(std::abs(measured->truth));
  }
  fmt::print("| {} | {} | {} of {}{} | {:.1e} | {} | {:.1f} % |\n", sample.name, level, compared.size(), seeds,
             failed ? fmt::format(", {} failed", failed) : "", median(sizes), correlation_text(compared),
             100.0 * median(deviations));
  std::fflush(stdout);
}

}  // namespace
}  // namespace ampprof

int main(int argc, char** argv) {
  const int seeds = argc > 1 ? std::stoi(argv[1]) : 20;
  const std::string only = argc > 2 ? argv[2] : "";
  const std::string only_level = argc > 3 ? argv[3] : "";
  const ampprof::testing::TemporaryFolder folder;
  fmt::print("| sample | level | seeds compared | change of the loss (median) | correlation | median deviation |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  for (const auto& sample : ampprof::kSamples) {
    if (!only.empty() && sample.name != only) continue;
    for (const std::string level : {"O1", "O2", "O3"}) {
      if (only_level.empty() || level == only_level) ampprof::compare(sample, level, seeds, folder.path());
    }
  }
}

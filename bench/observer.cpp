// SPDX-License-Identifier: Apache-2.0
// Measures the overhead of recording, as the ratio of step times with and without ampprof, in alternating runs.
// `bench_observer`: one op call, and resnet18 at O0 and O1 with FP16 emulation.
// `bench_observer estimates`: the overhead of E on top of the loss impact, for three samples.
// `bench_observer recipes`: the overhead of predicting recipes, for two samples.
//
// The time of a step comes from the difference between a long and a short run, so it does not contain loading.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "tests/end_to_end/command.h"

namespace ampprof {
namespace {

constexpr int kRounds = 3;
constexpr int kRoundsOfEstimates = 5;

/// Step counts of the short and of the long run.
struct Length {
  int first = 2;
  int last = 8;
};

struct Mode {
  std::string options;
  std::string level = "O1";
  Length length{};
};

// With --every 10, two of the steps 3 to 22 are recorded.
const std::vector<Mode> kModes{{"--reference off"},
                               {"--no-inherited --no-impact"},
                               {"--no-inherited --impact"},
                               {"--inherited --no-impact"},
                               {"--inherited --impact"},
                               {"--no-inherited --no-impact --reference fp64"},
                               {"--what-if fp16 --no-impact", "O0"},
                               {"--reference off --sketch", "O0"},
                               {"--no-inherited --no-impact --every 10", "O1", {2, 22}}};

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

/// Returns the time of one step in milliseconds. Runs `line` with `--steps N` appended.
double ms_per_step(const std::string& line, const Length& length, const std::filesystem::path& folder) {
  const auto after = [&](int steps) { return seconds(fmt::format("{} --steps {}", line, steps), folder); };
  const double longer = after(length.last);
  return (longer - after(length.first)) * 1000 / (length.last - length.first);
}

std::string training(const std::string& level) {
  return fmt::format(" --batch-size 32 --threads 1 --opt-level {}", level);
}

std::int64_t op_calls_of_a_step(const std::filesystem::path& folder) {
  const std::string line = testing::ampprof() + " run --force -o calls.ampprof --reference off sample:resnet18";
  seconds(line + training("O1") + " --steps 2", folder);
  return queries::runs(queries::Report(folder / "calls.ampprof")).front().op_calls / 2;
}

/// Returns a run's peak memory in MB, above the level after loading.
double peak_of(const std::filesystem::path& report) {
  return static_cast<double>(queries::runs(queries::Report(report)).front().peak_bytes.value_or(0)) / 1e6;
}

struct Measurement {
  std::vector<double> ratios;
  double peak_mb = 0.0;
};

void compare_steps(const std::filesystem::path& folder) {
  std::vector<Measurement> found(kModes.size());
  std::map<std::string, std::vector<double>> plain_ms;
  for (int round = 0; round < kRounds; ++round) {
    for (const char* level : {"O0", "O1"}) {
      plain_ms[level].push_back(ms_per_step(testing::program("sample_resnet18") + training(level), {}, folder));
    }
    for (std::size_t i = 0; i < kModes.size(); ++i) {
      const auto& [options, level, length] = kModes[i];
      const std::string line = testing::ampprof() + " run --force -o r.ampprof " + options + " sample:resnet18";
      found[i].ratios.push_back(ms_per_step(line + training(level), length, folder) / plain_ms[level].back());
      found[i].peak_mb = peak_of(folder / "r.ampprof");
    }
  }
  fmt::print("resnet18, batch 32, one thread, ms a step without ampprof: O0 {:.0f}, O1 {:.0f}; {} op calls\n",
             median(plain_ms["O0"]), median(plain_ms["O1"]), op_calls_of_a_step(folder));
  for (std::size_t i = 0; i < kModes.size(); ++i) {
    const auto [low, high] = std::ranges::minmax(found[i].ratios);
    fmt::print("  {} {:45} {:.2f} times (median of {}; {:.2f} to {:.2f}), peak memory {:.0f} MB, {:.2f} times\n",
               kModes[i].level, kModes[i].options, median(found[i].ratios), kRounds, low, high, found[i].peak_mb,
               found[i].peak_mb / found[0].peak_mb);
  }
}

/// Returns the processor time of all finished child processes, which depends less on other programs than wall time.
double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds_of = [](const timeval& time) { return static_cast<double>(time.tv_sec) + time.tv_usec * 1e-6; };
  return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

double processor_ms_per_step(const std::string& line, const Length& length, const std::filesystem::path& folder) {
  const double start = processor_seconds();
  seconds(fmt::format("{} --steps {}", line, length.first), folder);
  const double middle = processor_seconds();
  seconds(fmt::format("{} --steps {}", line, length.last), folder);
  return (processor_seconds() - 2 * middle + start) * 1000 / (length.last - length.first);
}

std::string ratios_text(const std::vector<double>& ratios) {
  const auto [low, high] = std::ranges::minmax(ratios);
  return fmt::format("{:.2f} times (median of {}; {:.2f} to {:.2f})", median(ratios), ratios.size(), low, high);
}

/// Alternates runs of --impact with and without E.
void compare_estimates(const std::string& sample, const Length& length, const std::filesystem::path& folder) {
  std::vector<double> without, ratios;
  for (int round = 0; round < kRoundsOfEstimates; ++round) {
    const std::string line = testing::ampprof() + " run --force -o r.ampprof --impact --no-inherited sample:" + sample +
                             " --threads 1 --opt-level O1";
    without.push_back(processor_ms_per_step("AMPPROF_ESTIMATES=0 " + line, length, folder));
    ratios.push_back(processor_ms_per_step(line, length, folder) / without.back());
  }
  fmt::print("{:24} --impact without E {:.0f} ms of processor a step, with it {}\n", sample, median(without),
             ratios_text(ratios));
  std::fflush(stdout);
}

/// Returns the command line of a sample. Options may follow its name.
std::string program_of(const std::string& sample) {
  const std::size_t end = std::min(sample.find(' '), sample.size());
  return testing::program("sample_" + sample.substr(0, end)) + sample.substr(end);
}

/// Alternates runs with recipes and the program alone. Compares the peak memory with that of `--reference off`.
void compare_recipes(const std::string& sample, const Length& length, const std::filesystem::path& folder) {
  const std::vector<std::string> options{"--what-if fp8_current",
                                         "--what-if mxfp8",
                                         "--what-if nvfp4",
                                         "--what-if fp8_current,mxfp8",
                                         "--what-if fp8_current,mxfp8,nvfp4",
                                         "--screen mxfp8",
                                         "--screen mxfp8,fp8_current,nvfp4"};
  const std::string settings = " --threads 1 --opt-level O0";
  const auto line_with = [&](const std::string& with) {
    return testing::ampprof() + " run --force -o r.ampprof " + with + " sample:" + sample + settings;
  };
  std::vector<double> plain, peaks(options.size());
  std::vector<std::vector<double>> ratios(options.size());
  seconds(fmt::format("{} --steps {}", line_with("--reference off"), length.last), folder);
  const double plain_peak = peak_of(folder / "r.ampprof");
  for (int round = 0; round < kRounds; ++round) {
    plain.push_back(processor_ms_per_step(program_of(sample) + settings, length, folder));
    for (std::size_t i = 0; i < options.size(); ++i) {
      ratios[i].push_back(processor_ms_per_step(line_with(options[i]), length, folder) / plain.back());
      peaks[i] = peak_of(folder / "r.ampprof");
    }
  }
  fmt::print("{}: {:.0f} ms of processor a step without ampprof\n", sample, median(plain));
  for (std::size_t i = 0; i < options.size(); ++i) {
    fmt::print("  {:34} {}, peak memory {:.0f} MB, {:.2f} times\n", options[i], ratios_text(ratios[i]), peaks[i],
               peaks[i] / plain_peak);
  }
  std::fflush(stdout);
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

int main(int argc, char** argv) {
  const ampprof::testing::TemporaryFolder folder;
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "recipes") {
    // Each difference covers a multiple of eight steps, since one step in eight is taped.
    ampprof::compare_recipes("transformer", {2, 34}, folder.path());
    ampprof::compare_recipes("resnet18 --batch-size 8", {2, 18}, folder.path());
    return 0;
  }
  if (what == "estimates") {
    ampprof::compare_estimates("transformer", {2, 17}, folder.path());
    ampprof::compare_estimates("mnist_cnn", {2, 32}, folder.path());
    ampprof::compare_estimates("resnet18 --batch-size 8", {2, 6}, folder.path());
    return 0;
  }
  ampprof::compare_op_calls(folder.path());
  ampprof::compare_steps(folder.path());
}

// SPDX-License-Identifier: Apache-2.0
// ampprof-probe CASES ANSWERS SECONDS DEVICE: `ampprof run` starts it after the program has finished. README.md
// describes it; precision/probe/lines.h defines its input and output.
#include <ATen/Context.h>
#include <c10/core/InferenceMode.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "precision/gpu/device_caps.h"
#include "precision/gpu/device_monitor.h"
#include "precision/probe/device/cublaslt_heuristic.h"
#include "precision/probe/device/stopwatch.h"
#include "precision/probe/device/torch_call.h"
#include "precision/probe/lines.h"
#include "precision/probe/repeats.h"

namespace ampprof::probe {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kGraceSeconds = 120;  // for loading LibTorch and for the last case
constexpr int kWrongUsage = 2;
constexpr std::int32_t kDevice = 0;  // the first GPU visible to this process

/// Writes each answer at once, so that answers survive when the probe is stopped.
class Answers {
 public:
  explicit Answers(const char* path) : file_(path) {}

  bool is_open() const { return file_.is_open(); }
  void say(const Device& device) { file_ << line_of(device) << std::endl; }
  void say(std::size_t at, const Timing& timing) { file_ << line_of(Answer{at, timing}) << std::endl; }
  void say(std::size_t at, const GemmAlgorithm& algorithm) { file_ << line_of(Answer{at, algorithm}) << std::endl; }
  void say(std::size_t at, const Failure& failure) { file_ << line_of(Answer{at, failure}) << std::endl; }

 private:
  std::ofstream file_;
};

std::string first_line(const std::string& words) { return words.substr(0, words.find('\n')); }

void ask_all(const std::vector<PlannedCase>& cases, const OpenedHeuristic& opened, Answers& answers) {
  for (std::size_t at = 0; at < cases.size(); ++at) {
    if (!cases[at].ask) continue;
    if (!opened.heuristic) {
      answers.say(at, Failure{.of_time = false, .why = first_line(opened.why)});
    } else {
      std::visit([&](const auto& answer) { answers.say(at, answer); }, opened.heuristic->algorithm_for(cases[at].what));
    }
  }
}

void time_all(const std::vector<PlannedCase>& cases, c10::Device device, const ReadClock& clock,
              Clock::time_point deadline, Answers& answers) {
  const c10::InferenceMode no_autograd;
  for (std::size_t at = 0; at < cases.size() && Clock::now() < deadline; ++at) {
    if (!cases[at].time) continue;
    try {
      answers.say(at, timing_of(stopwatch_for(call_of(cases[at].what, device), device), clock));
    } catch (const std::exception& error) {
      answers.say(at, Failure{.of_time = true, .why = first_line(error.what())});
    }
  }
}

/// Returns the major compute capability of a GPU by its name; 0 if unknown.
int generation_of(const std::string& gpu) {
  const auto caps = gpu::device_caps(gpu);
  return caps ? caps->major : 0;
}

int probe(const std::vector<PlannedCase>& cases, const char* path, double seconds, bool on_cpu) {
  const auto begin = Clock::now();
  if (!on_cpu && !at::hasCUDA()) {
    std::cerr << "ampprof-probe: there is no GPU here that LibTorch can use.\n";
    return EXIT_FAILURE;
  }
  Answers answers(path);
  if (!answers.is_open()) {
    std::cerr << "ampprof-probe: " << path << " cannot be written.\n";
    return EXIT_FAILURE;
  }
  gpu::DeviceMonitor monitor;
  const std::string name = on_cpu ? "cpu" : monitor.name(kDevice);
  const OpenedHeuristic opened = open_cublaslt_heuristic(generation_of(name));
  answers.say(Device{name.empty() ? "cuda" : name, opened.heuristic ? opened.heuristic->version() : 0});
  ask_all(cases, opened, answers);
  const ReadClock clock = [&]() -> std::optional<std::int64_t> {
    const auto reading = on_cpu ? std::nullopt : monitor.clocks(kDevice);
    return reading ? std::optional(reading->sm_mhz) : std::nullopt;
  };
  const auto deadline = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  time_all(cases, on_cpu ? c10::Device(c10::kCPU) : c10::Device(c10::kCUDA, kDevice), clock, deadline, answers);
  return EXIT_SUCCESS;
}

int run(int count, char** words) {
  if (count != 5) {
    std::cerr
        << "ampprof-probe: ampprof run --probe starts this program, with the arguments CASES ANSWERS SECONDS DEVICE.\n";
    return kWrongUsage;
  }
  const double seconds = std::atof(words[3]);
  alarm(kGraceSeconds + static_cast<unsigned>(seconds));  // ends this process if the GPU hangs
  std::ifstream plan(words[1]);
  try {
    return probe(cases_from(plan), words[2], seconds, std::string_view(words[4]) == "cpu");
  } catch (const std::exception& error) {
    std::cerr << "ampprof-probe: " << first_line(error.what()) << '\n';
    return EXIT_FAILURE;
  }
}

}  // namespace
}  // namespace ampprof::probe

int main(int count, char** words) { return ampprof::probe::run(count, words); }

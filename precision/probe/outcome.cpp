// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/outcome.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ampprof::probe {
namespace {

constexpr const char* kTimings = "timings of matmuls";
constexpr const char* kAlgorithms = "cublasLt's algorithms for GEMMs";

/// The results for one case.
struct Answers {
  std::optional<Timing> time;
  std::optional<GemmAlgorithm> algorithm;
  std::string why_no_time;
  std::string why_no_algorithm;
};

void take(Answers& answers, const Answer& answer) {
  if (const auto* time = std::get_if<Timing>(&answer.answer)) {
    answers.time = *time;
  } else if (const auto* algorithm = std::get_if<GemmAlgorithm>(&answer.answer)) {
    answers.algorithm = *algorithm;
  } else {
    const auto& failure = std::get<Failure>(answer.answer);
    (failure.of_time ? answers.why_no_time : answers.why_no_algorithm) = failure.why;
  }
}

std::vector<Answers> by_case(const Plan& plan, const Results& results) {
  std::vector<Answers> all(plan.cases.size());
  for (const Answer& answer : results.answers) {
    if (answer.at < all.size()) take(all[answer.at], answer);
  }
  return all;
}

/// Counts missing results with equal reasons together.
void miss(ProbeOutcome& outcome, const Missing& missing) {
  for (Missing& known : outcome.missing) {
    if (known.what != missing.what || known.cause != missing.cause) continue;
    known.count += missing.count;
    return;
  }
  outcome.missing.push_back(missing);
}

std::string sentence(std::string words) {
  if (!words.ends_with('.')) words += '.';
  return words;
}

std::string cut_short(const End& end) {
  return "The probe ended with " + (end.failure.empty() ? "no message" : end.failure) + " before it had finished.";
}

Missing no_time(const Answers& answers, const End& end) {
  if (!answers.why_no_time.empty()) {
    return {kTimings, 1, "The matmul could not be computed: " + sentence(answers.why_no_time), ""};
  }
  if (!end.failure.empty()) return {kTimings, 1, cut_short(end), "Run the probe again."};
  const auto more = std::max(1L, std::lround(4 * end.budget_s));
  return {kTimings, 1, "The probe ran out of time before it had finished.",
          "Give the probe more time: --probe-budget " + std::to_string(more)};
}

Missing no_algorithm(const Answers& answers, const End& end) {
  if (!answers.why_no_algorithm.empty()) return {kAlgorithms, 1, sentence(answers.why_no_algorithm), ""};
  return {kAlgorithms, 1, cut_short(end), "Run the probe again."};
}

ProbeTime time_at(const CaseUse& place, const Case& what, const Timing& timing, const Device& device) {
  ProbeTime time{.matmul = place.matmul,
                 .arithmetic = what.arithmetic,
                 .is_padded = place.is_padded,
                 .sizes = sizes_of(what.workload),
                 .timing = timing,
                 .device = device.name};
  if (is_convolution(what.workload)) time.cudnn_benchmark = what.cudnn_benchmark;
  return time;
}

ProbeAlgorithm algorithm_at(const CaseUse& place, const Answers& answers, const Device& device) {
  return {.matmul = place.matmul,
          .algorithm = answers.algorithm,
          .failure = answers.algorithm ? "" : answers.why_no_algorithm,
          .library_version = device.cublaslt_version,
          .device = device.name};
}

}  // namespace

std::map<std::int64_t, ProbeOutcome> outcome_of(const Plan& plan, const Results& results, const End& end) {
  std::map<std::int64_t, ProbeOutcome> outcomes;
  const std::vector<Answers> answers = by_case(plan, results);
  for (const CaseUse& place : plan.places) {
    const PlannedCase& planned = plan.cases.at(place.at);
    const Answers& of_case = answers.at(place.at);
    ProbeOutcome& outcome = outcomes[place.run];
    if (planned.time && of_case.time) {
      outcome.records.times.push_back(time_at(place, planned.what, *of_case.time, results.device));
    } else if (planned.time) {
      miss(outcome, no_time(of_case, end));
    }
    if (!planned.ask || !place.is_as_run) continue;
    if (of_case.algorithm || !of_case.why_no_algorithm.empty()) {
      outcome.records.algorithms.push_back(algorithm_at(place, of_case, results.device));
    }
    if (!of_case.algorithm) miss(outcome, no_algorithm(of_case, end));
  }
  for (const auto& [run, count] : plan.left_out) {
    miss(outcomes[run], {"probes of matmuls", count,
                         "The signatures of these matmuls lack some sizes, or the probe does not compute in their type "
                         "(FP16, BF16, FP32, FP64).",
                         ""});
  }
  return outcomes;
}

}  // namespace ampprof::probe

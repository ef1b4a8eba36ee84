// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/outcome.h"

#include <gtest/gtest.h>

namespace ampprof::probe {
namespace outcome_test {

const ProbedMatmul kMm{"mm", "f16[64,33] f16[33,128]", DType::Half};
const ProbedMatmul kConv{"conv2d", "f16[8,3,9,9] f16[64,3,3,3] stride=1 padding=1 dilation=1", DType::Half};

/// Returns a plan for two runs with the same GEMM; the second run also has a convolution.
Plan a_plan() {
  return plan_of(std::vector<RecordedMatmul>{{.run = 1, .matmul = kMm, .time_us = 9},
                                             {.run = 2, .matmul = kMm, .time_us = 9},
                                             {.run = 2, .matmul = kConv, .time_us = 1}},
                 {.algorithms = true, .times = true});
}

Results answers_to(const Plan& plan, std::size_t times) {
  Results results{.device = {"NVIDIA H200", 130100}};
  results.answers.push_back({0, GemmAlgorithm{.numerics = 2, .id = 7}});
  for (std::size_t at = 0; at < std::min(times, plan.cases.size()); ++at) {
    results.answers.push_back({at, Timing{.median_us = 10.0 + static_cast<double>(at)}});
  }
  return results;
}

TEST(ProbeOutcome, IsWrittenForEachRunThatComputedTheCase) {
  const Plan plan = a_plan();
  const auto outcomes = outcome_of(plan, answers_to(plan, plan.cases.size()), {.budget_s = 60});
  ASSERT_EQ(outcomes.size(), 2u);
  const ProbeRecords& first = outcomes.at(1).records;
  ASSERT_EQ(first.times.size(), 4u);
  EXPECT_EQ(first.times[0].matmul, kMm);
  EXPECT_EQ(name_of(first.times[0].arithmetic), "fp16");
  EXPECT_EQ(first.times[0].timing.median_us, 10);
  EXPECT_EQ(first.times[0].sizes, "M = 64, N = 128, K = 33");
  EXPECT_EQ(first.times[0].device, "NVIDIA H200");
  EXPECT_EQ(first.times[0].cudnn_benchmark, std::nullopt);
  ASSERT_EQ(first.algorithms.size(), 1u);
  EXPECT_EQ(first.algorithms[0].algorithm->id, 7);
  EXPECT_EQ(first.algorithms[0].library_version, 130100);
  const ProbeRecords& second = outcomes.at(2).records;
  ASSERT_EQ(second.times.size(), 12u);
  EXPECT_EQ(second.times[0], first.times[0]) << "it was timed once";
  EXPECT_EQ(second.times[4].cudnn_benchmark, false);
  EXPECT_EQ(second.times[5].cudnn_benchmark, true);
  for (const auto& [run, outcome] : outcomes) EXPECT_TRUE(outcome.missing.empty()) << run;
}

TEST(ProbeOutcome, SaysHowMuchTheBudgetDidNotReach) {
  const Plan plan = a_plan();
  const auto outcomes = outcome_of(plan, answers_to(plan, 3), {.budget_s = 60});
  EXPECT_EQ(outcomes.at(1).records.times.size(), 3u);
  ASSERT_EQ(outcomes.at(1).missing.size(), 1u);
  EXPECT_EQ(outcomes.at(1).missing[0].count, 1);
  EXPECT_EQ(outcomes.at(2).missing[0].count, 9);
  EXPECT_EQ(outcomes.at(2).missing[0].what, "timings of matmuls");
  EXPECT_EQ(outcomes.at(2).missing[0].cause, "The probe ran out of time before it had finished.");
  EXPECT_EQ(outcomes.at(2).missing[0].remedy, "Give the probe more time: --probe-budget 240");
}

TEST(ProbeOutcome, SaysWhatCrashed) {
  const Plan plan = a_plan();
  const auto outcomes = outcome_of(plan, {}, {.budget_s = 60, .failure = "signal SIGINT (Interrupt)"});
  ASSERT_EQ(outcomes.at(1).missing.size(), 2u);
  EXPECT_EQ(outcomes.at(1).missing[0].cause, "The probe ended with signal SIGINT (Interrupt) before it had finished.");
  EXPECT_EQ(outcomes.at(1).missing[0].count, 4);
  EXPECT_EQ(outcomes.at(1).missing[0].remedy, "Run the probe again.");
  EXPECT_EQ(outcomes.at(1).missing[1].count, 1);
  EXPECT_EQ(outcomes.at(1).missing[1].remedy, "Run the probe again.");
  EXPECT_EQ(outcomes.at(1).missing[1].what, "cublasLt's algorithms for GEMMs");
  EXPECT_TRUE(outcomes.at(1).records.algorithms.empty());
}

TEST(ProbeOutcome, SaysWhatFailed) {
  const Plan plan = a_plan();
  Results results = answers_to(plan, plan.cases.size());
  results.answers = {{0, Failure{true, "CUDA out of memory"}}, {0, Failure{false, "cublasLt has no algorithm"}}};
  const auto outcomes = outcome_of(plan, results, {.budget_s = 60});
  const auto& missing = outcomes.at(1).missing;
  ASSERT_EQ(missing.size(), 3u);
  EXPECT_EQ(missing[0].cause, "The matmul could not be computed: CUDA out of memory.");
  EXPECT_EQ(missing[0].count, 1);
  EXPECT_EQ(missing[1].cause, "cublasLt has no algorithm.");
  EXPECT_EQ(missing[1].count, 1);
  EXPECT_EQ(missing[2].count, 3) << "the others were not reached";
  ASSERT_EQ(outcomes.at(1).records.algorithms.size(), 1u);
  EXPECT_EQ(outcomes.at(1).records.algorithms[0].algorithm, std::nullopt);
  EXPECT_EQ(outcomes.at(1).records.algorithms[0].failure, "cublasLt has no algorithm");
}

TEST(ProbeOutcome, EndsASentenceOnce) {
  const Plan plan = a_plan();
  const Results results{.answers = {{0, Failure{false, "There is none."}}}};
  EXPECT_EQ(outcome_of(plan, results, {}).at(1).missing.at(1).cause, "There is none.");
}

TEST(ProbeOutcome, AsksForASecondAtLeast) {
  const auto outcomes = outcome_of(a_plan(), {}, {.budget_s = 0});
  EXPECT_EQ(outcomes.at(1).missing.at(0).remedy, "Give the probe more time: --probe-budget 1");
  EXPECT_EQ(outcomes.at(1).missing.at(1).cause, "The probe ended with no message before it had finished.");
}

TEST(ProbeOutcome, MissesRequestedTimesOnly) {
  const Plan plan = plan_of(std::vector<RecordedMatmul>{{.run = 1, .matmul = kMm}}, {});
  const auto outcomes = outcome_of(plan, answers_to(plan, 0), {});
  EXPECT_TRUE(outcomes.at(1).missing.empty());
  EXPECT_EQ(outcomes.at(1).records.algorithms.size(), 1u);
}

TEST(ProbeOutcome, GivesTheAlgorithmToTheRunThatComputedSo) {
  const ProbedMatmul single{"mm", "f32[64,33] f32[33,128]", DType::Float};
  const Plan plan = plan_of(std::vector<RecordedMatmul>{{.run = 1, .matmul = kMm}, {.run = 2, .matmul = single}},
                            {.algorithms = true, .times = true});
  Results results;
  for (std::size_t at = 0; at < plan.cases.size(); ++at) {
    if (plan.cases[at].ask) results.answers.push_back({at, GemmAlgorithm{.id = static_cast<std::int64_t>(at)}});
  }
  const auto outcomes = outcome_of(plan, results, {});
  EXPECT_EQ(outcomes.at(1).records.algorithms.size(), 1u) << "FP16 alone, though FP32 was asked about, too";
  EXPECT_EQ(outcomes.at(2).records.algorithms.size(), 1u);
}

TEST(ProbeOutcome, SaysWhatCouldNotBePlanned) {
  Plan plan;
  plan.left_out = {{3, 2}};
  const auto outcomes = outcome_of(plan, {}, {});
  ASSERT_EQ(outcomes.at(3).missing.size(), 1u);
  EXPECT_EQ(outcomes.at(3).missing[0].count, 2);
}

TEST(ProbeOutcome, IgnoresAnswersToOtherPlans) {
  const Plan plan = a_plan();
  Results results;
  results.answers = {{plan.cases.size(), Timing{}}, {std::size_t(-1), GemmAlgorithm{}}};
  EXPECT_TRUE(outcome_of(plan, results, {}).at(1).records.times.empty());
}

}  // namespace outcome_test
}  // namespace ampprof::probe

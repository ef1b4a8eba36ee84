// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "precision/advice/advise.h"
#include "precision/advice/fp32_cost.h"
#include "precision/advice/policy_evaluation.h"
#include "tests/precision/advice/evidence_builder.h"

namespace ampprof::advice {
namespace candidates_test {

using testing_advice::Builder;

std::string names_of(const std::vector<FunctionInModule>& candidates) {
  std::string text;
  for (const auto& candidate : candidates) text += candidate.name() + "; ";
  return text;
}

TEST(Candidates, AreForwardOpsThatComputeReduced) {
  Builder builder;
  builder.forward("a", "exp").local.reset();
  queries::OpRow& compared = builder.forward("b", "log");  // an FP32 op that was compared in TF32
  compared.dtype_out = DType::Float;
  queries::OpRow& single = builder.forward("c", "sin");
  single.dtype_out = DType::Float;
  single.local.reset();
  builder.backward("d", "cos");
  EXPECT_EQ(names_of(candidates_of(builder.evidence)), "exp in a; log in b; ");
}

TEST(Candidates, HaveTheBackwardOfTheirModule) {
  Builder builder;
  for (const char* module : {"a", "b"}) builder.forward(module, "exp");
  builder.forward("b", "log");
  const queries::OpRow& backward = builder.backward("b", "exp_backward");
  auto candidates = candidates_of(builder.evidence);
  EXPECT_TRUE(candidates.at(0).backward.empty());
  EXPECT_EQ(candidates.at(1).backward, std::vector<const queries::OpRow*>{&builder.evidence.ops.back()});
  EXPECT_TRUE(candidates.at(2).backward.empty());
  EXPECT_EQ(candidate_of(candidates, backward), &candidates[1]);
  EXPECT_EQ(candidate_of(candidates, queries::OpRow{}), nullptr);
}

TEST(Candidates, HaveTheEffectsOfTheirCallSites) {
  Builder builder;
  queries::OpRow& first = builder.forward("a", "exp", 0.5);
  builder.forward("b", "log", 0.25);
  builder.impact(first, 0.125, std::nullopt).loss_id = 3;
  builder.impact(first, 1, 1).position = 7;  // in another segment
  queries::ImpactRow& rounding = builder.impact(first, 2, 2);
  rounding.source = ImpactSource::Parameter;
  builder.impact(first, std::nullopt, std::nullopt);
  const auto candidates = candidates_of(builder.evidence);
  EXPECT_EQ(candidates.at(0).effects, (Effects{{0, {0.5, 0, 0.25}}, {3, {0.125, 0, 0.015625}}}));
  EXPECT_EQ(candidates.at(1).effects, (Effects{{0, {0.25, 0, 0.0625}}}));
  EXPECT_EQ(rest_of(builder.evidence, candidates), (Effects{{0, {3, 0, 5}}}));
}

TEST(Candidates, HaveWhatTheyRoundWhereNoGradientLeads) {
  Builder builder;
  queries::OpRow& count = builder.forward("a", "sum");
  builder.impact(count, 0.5, 0.5).source = ImpactSource::BeforeGradients;
  builder.impact(count, 0.25, 0.25).source = ImpactSource::Decision;
  builder.impact(count, 4, 4).source = ImpactSource::Input;  // another call rounded the input
  const auto candidates = candidates_of(builder.evidence);
  EXPECT_EQ(candidates.at(0).effects, (Effects{{0, {0.75, 0, 0.3125}}}));
  EXPECT_EQ(rest_of(builder.evidence, candidates), (Effects{{0, {4, 0, 16}}}));
}

// Options: the limit below which a function needs no change
// ------------------------------------------------------------------------

TEST(LargestLoss, IsThatOfTheFiniteEnds) {
  EXPECT_EQ(largest_loss({}, {}), 0);
  EXPECT_EQ(largest_loss({}, -3), 3);
  EXPECT_EQ(largest_loss(std::numeric_limits<double>::infinity(), -3), 3);
  EXPECT_EQ(largest_loss(4, -3), 4);
}

// By local error ----------------------------------------------------------------------------------------------------

queries::OpRow& with_error(Builder& builder, const std::string& op, double squared) {
  queries::OpRow& row = builder.forward("m", op);
  row.local->sum_sq_error = squared;
  return row;
}

TEST(LocalError, StandsOutFromA128thOn) {
  Builder builder;
  with_error(builder, "exp", 0x1p-14);
  with_error(builder, "log", 0x1.fp-15);
  with_error(builder, "mul_.Tensor", 1);
  const Advice advice = advise(builder.evidence);
  EXPECT_EQ(amp::to_text(policy_of(advice)), "exp fp32\n");
  EXPECT_EQ(advice.notes.size(), 1u) << "of what cannot be registered nothing is said";
}

TEST(LocalError, RanksTheWorstFirst) {
  Builder builder;
  with_error(builder, "exp", 0x1p-12);
  with_error(builder, "log", 0x1p-8);
  const Advice advice = advise(builder.evidence);
  EXPECT_EQ(amp::to_text(policy_of(advice)), "log fp32\nexp fp32\n");
  EXPECT_EQ(advice.ranking.at(0).op, "log");
  EXPECT_EQ(advice.ranking.at(0).weight, 0x1p-4);
  EXPECT_EQ(advice.ranking.at(0).share, 0) << "of nothing that is known";
}

TEST(LocalError, OfZerosIsNoNumber) {
  Builder builder;
  with_error(builder, "exp", 1).local->sum_sq_reference = 0;
  with_error(builder, "log", 0);
  const Advice advice = advise(builder.evidence);
  EXPECT_TRUE(advice.policy.empty());
  EXPECT_TRUE(advice.ranking.empty());
}

// Measured, unmeasured and missing impacts ----------------------------------------------------------------------------

TEST(LossImpact, OfHalfTheCallSitesIsEnough) {
  Builder builder;
  builder.forward("a", "exp", 0.5);
  builder.impact(builder.forward("b", "log"), std::nullopt, std::nullopt).gap = ImpactGap::ErrorNotFinite;
  EXPECT_EQ(advise(builder.evidence).impact_before, 0.5);
  builder.impact(builder.forward("c", "sin"), std::nullopt, std::nullopt);
  const Advice advice = advise(builder.evidence);
  EXPECT_EQ(advice.impact_before, std::nullopt);
  EXPECT_EQ(advice.notes.at(0),
            "Only 1 of 3 loss impacts could be measured (the output or its reference is not finite). Record again with "
            "this policy.");
  builder.evidence.impacts.erase(builder.evidence.impacts.begin());
  EXPECT_TRUE(advise(builder.evidence).notes.at(0).starts_with("None of 2 loss impacts could be measured"));
}

TEST(LossImpact, IsAReasonBehindOthers) {
  Builder builder;
  queries::OpRow& row = builder.forward("m", "exp", 0.5);
  row.ranges->nonfinite = 3;
  row.ranges->reference_amax = 80000;
  row.source = "net.py:3";
  builder.forward("m", "exp.out").source = "net.py:3";
  const Registration found = advise(builder.evidence).policy.at(0);
  EXPECT_EQ(found.because,
            "m/exp overflows: its result reaches 8e+04, but FP16 ends at 65504; its expected loss impact is 0.5 (RMS), "
            "100 % of the total variance (total RMS 0.5).");
  EXPECT_EQ(found.loss_impact, 0.5);
  EXPECT_EQ(found.sources, std::vector<std::string>{"net.py:3"});
  EXPECT_EQ(found.call_sites.size(), 2u);
}

TEST(LossImpact, OfTwoOverflowsIsOneSentence) {
  Builder builder;
  for (const char* op : {"exp", "exp.out"}) {
    queries::OpRow& row = builder.forward("m", op);
    row.ranges->nonfinite = 3;
    row.ranges->reference_amax = 80000;
  }
  EXPECT_EQ(
      advise(builder.evidence).policy.at(0).because,
      "m/exp overflows: its result reaches 8e+04, but FP16 ends at 65504; m/exp.out overflows: its result reaches "
      "8e+04, but FP16 ends at 65504.");
}

// How call sites become lines -----------------------------------------------------------------------------------------

TEST(Lines, NameAFunctionWhereThreeQuartersAreConcerned) {
  const auto advised = [](int concerned, int of) {
    Builder builder;
    for (int i = 0; i < of; ++i) builder.forward("m" + std::to_string(i), "bmm", i < concerned ? 0.5 : 1e-5);
    return advise(builder.evidence).policy.size();
  };
  EXPECT_EQ(advised(1, 2), 1u);
  EXPECT_EQ(advised(2, 3), 2u);
  EXPECT_EQ(advised(3, 4), 1u);
  EXPECT_EQ(advised(5, 7), 5u);
  EXPECT_EQ(advised(6, 7), 1u);
}

TEST(Lines, NameOneModuleByItsPath) {
  Builder builder;
  builder.forward("0.conv.12", "bmm", 0.5);
  builder.forward("head", "bmm", 1e-5);
  builder.forward("tail", "bmm", 1e-5);
  EXPECT_EQ(amp::to_text(policy_of(advise(builder.evidence))), "bmm fp32 in 0.conv.12\n");
  builder.forward("1.conv.7", "bmm", 0.5);
  builder.forward("body", "bmm", 1e-5);
  EXPECT_EQ(amp::to_text(policy_of(advise(builder.evidence))), "bmm fp32 in *.conv.*\n");
}

// Cost in FP32 --------------------------------------------------------------------------------------------------------

TEST(Fp32Cost, IsFiniteForARunWithoutStepsOrCalls) {
  Builder builder;
  builder.evidence.run.recorded_steps = 0;
  queries::OpRow& op = builder.forward("m", "exp");
  op.calls = 2;
  builder.evidence.plain = builder.evidence.ops;
  builder.evidence.plain[0].calls = 0;
  builder.evidence.plain[0].cpu_us = 300;
  EXPECT_EQ(Fp32Cost(builder.evidence).time_us(op), (300 - 50) * 2);
}

TEST(Fp32Cost, IsOfTheCpuWhereOneRunSawNoGpu) {
  Builder builder;
  queries::OpRow& op = builder.forward("m", "exp");
  builder.evidence.plain = builder.evidence.ops;
  builder.evidence.plain[0].cpu_us = 200;
  builder.evidence.plain[0].gpu_us = 7000;
  EXPECT_EQ(Fp32Cost(builder.evidence).time_us(op), 10.0);
}

TEST(Fp32Cost, OfCastsIsThatOfHalfInputs) {
  Builder builder;
  builder.forward("m", "exp").signature = "f16[3,5] bf16[2] f32[7] f8e4m3[1]";
  const auto candidates = candidates_of(builder.evidence);
  EXPECT_EQ(Fp32Cost(builder.evidence).cast_bytes(candidates.at(0)), 4 * (15 + 2 + 1));
}

}  // namespace candidates_test
}  // namespace ampprof::advice

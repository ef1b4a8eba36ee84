// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/advise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/precision/advice/evidence_builder.h"

namespace ampprof::advice {
namespace advise_test {

using testing_advice::Builder;

std::string text_of(const Advice& advice) { return amp::to_text(policy_of(advice)); }

std::string advised(const Builder& builder, const Options& options = {}) {
  return text_of(advise(builder.evidence, options));
}

bool says(const std::vector<std::string>& notes, const std::string& part) {
  return std::ranges::any_of(notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

// The share of the impact that the policy has to remove
// ---------------------------------------------------------------------------------------

TEST(Advice, NamesTheFunctionThatChangesTheLoss) {
  Builder builder;
  builder.forward("conv1", "conv2d", 1e-3);
  builder.forward("head", "softmax.int", 0.5);
  const Advice advice = advise(builder.evidence);
  EXPECT_EQ(text_of(advice), "softmax fp32\n");
  ASSERT_EQ(advice.policy.size(), 1u);
  EXPECT_EQ(advice.policy[0].loss_impact, 0.5);
  EXPECT_EQ(advice.policy[0].call_sites, (std::vector<std::string>{"head/softmax.int"}));
  EXPECT_EQ(advice.policy[0].because,
            "its expected loss impact is 0.5 (RMS), 100 % of the total variance (total RMS 0.5).");
  EXPECT_DOUBLE_EQ(*advice.impact_before, 0.501);
  EXPECT_DOUBLE_EQ(*advice.impact_after, 1e-3);
  EXPECT_EQ(advice.ranking.at(0).op, "softmax");
  EXPECT_DOUBLE_EQ(advice.ranking.at(0).share, 0.25 / (0.501 * 0.501));
  EXPECT_FALSE(advice.ranking.at(0).overflows);
  EXPECT_EQ(advice.ranking.at(1).op, "conv2d");
  EXPECT_TRUE(advice.notes.empty());
}

TEST(Advice, StopsAtTheTarget) {
  Builder builder;
  for (int i = 0; i < 4; ++i) builder.forward("m" + std::to_string(i), "op" + std::to_string(i), 0.5 * (1 << i));
  EXPECT_EQ(advised(builder, {.target_share = 0.5}), "op3 fp32\n");
  EXPECT_EQ(advised(builder, {.target_share = 0.25}), "op3 fp32\nop2 fp32\n");
  EXPECT_EQ(advised(builder, {.target_share = 0}), "op3 fp32\nop2 fp32\nop1 fp32\nop0 fp32\n");
}

TEST(Advice, LeavesAloneWhatTheLossDoesNotFeel) {
  Builder builder;
  builder.forward("conv1", "conv2d", 1e-3);
  const Advice advice = advise(builder.evidence);  // the limit is a thousandth of the loss, 2e-3
  EXPECT_TRUE(advice.policy.empty());
  EXPECT_TRUE(says(advice.notes, "No function needs FP32: the expected loss impact is 0.001"));
  EXPECT_EQ(advice.impact_after, advice.impact_before);
  EXPECT_EQ(advice.ranking.size(), 1u) << "who asks still sees who would be first";
  EXPECT_EQ(advised(builder, {.tolerance = 5e-4}), "conv2d fp32\n");
  EXPECT_EQ(advised(builder, {.tolerance = 1e-3}), "") << "as much as needs nothing done";
  EXPECT_TRUE(advise(builder.evidence, {.target_share = 0, .tolerance = 0}).notes.empty()) << "nothing is left";
}

TEST(Advice, CountsWhatNoRegistrationReaches) {
  Builder builder;
  builder.forward("head", "softmax.int", 0.5);
  queries::ImpactRow& rounding = builder.impact({}, 0.4, 0.4);
  rounding.source = ImpactSource::Parameter;
  rounding.call_site_id = 0;
  const Advice advice = advise(builder.evidence);
  EXPECT_DOUBLE_EQ(*advice.impact_before, 0.9);
  EXPECT_DOUBLE_EQ(*advice.impact_after, 0.4);
  EXPECT_TRUE(says(advice.notes, "no policy rule applies to"));
}

// Functions that have to be registered
// ----------------------------------------------------------------------------------------------

queries::OpRow& overflowing(Builder& builder, const std::string& module, const std::string& op) {
  queries::OpRow& row = builder.forward(module, op);
  row.ranges->nonfinite = 3;
  row.ranges->reference_amax = 80000;
  return row;
}

TEST(Advice, NamesWhatOverflowsWhateverItsImpact) {
  Builder builder;
  builder.forward("conv1", "conv2d", 1e-4);
  const queries::OpRow& einsum = overflowing(builder, "", "einsum");
  queries::OpRow& spread = builder.forward("", "div.Tensor");  // inf / inf: the reference is NaN, too
  spread.ranges->nonfinite = 3;
  builder.event(1, einsum, 65536);
  builder.event(2, einsum, 32768);
  const Advice advice = advise(builder.evidence);
  EXPECT_EQ(text_of(advice), "einsum fp32\n");
  EXPECT_EQ(advice.policy.at(0).overflows, 2);
  EXPECT_EQ(advice.policy.at(0).because,
            "/einsum overflows: its result reaches 8e+04, but FP16 ends at 65504; it began 2 non-finite events.");
  EXPECT_EQ(advice.ranking.at(0).op, "einsum") << "before all that have a larger impact";
}

TEST(Advice, PutsWhatOverflowsBeforeWhatMattersMore) {
  Builder builder;
  builder.forward("head", "softmax.int", 0.5);
  builder.impact(overflowing(builder, "loss", "exp"), 1e-6, 1e-6);
  const Advice advice = advise(builder.evidence);
  ASSERT_EQ(advice.policy.size(), 2u);
  EXPECT_EQ(advice.policy[0].op, "exp");
  EXPECT_EQ(advice.policy[1].op, "softmax");
}

TEST(Advice, LeavesOutArithmeticThatFollowsACulprit) {
  Builder builder;
  overflowing(builder, "", "einsum");
  overflowing(builder, "", "add.Tensor");
  const Advice advice = advise(builder.evidence);
  EXPECT_EQ(text_of(advice), "einsum fp32\n");
  EXPECT_TRUE(says(advice.notes, "functions that the advice keeps in FP32; once they run in FP32, it does, too"));
}

TEST(Advice, NamesArithmeticThatOverflowsItself) {
  Builder builder;
  overflowing(builder, "", "add.Tensor");
  overflowing(builder, "other", "einsum");
  EXPECT_EQ(advised(builder), "add fp32\neinsum fp32\n");
}

TEST(Advice, NeedsNoEventToSeeAnOverflow) {
  Builder builder;
  overflowing(builder, "loss", "exp");
  const Advice advice = advise(builder.evidence);
  EXPECT_EQ(text_of(advice), "exp fp32\n");
  EXPECT_EQ(advice.policy.at(0).overflows, 1);
}

TEST(Advice, IsNotAlarmedByWhatIsExpected) {
  Builder builder;
  overflowing(builder, "attention", "masked_fill.Scalar").nonfinite_expected = true;
  EXPECT_EQ(advised(builder), "");
}

TEST(Advice, LeavesOutWhatBeganNoEventThoughItIsCalledFirst) {
  Builder builder;
  overflowing(builder, "", "mul.Scalar");  // the earlier calls had finite inputs
  builder.event(1, overflowing(builder, "", "einsum"), 65536);
  EXPECT_EQ(advised(builder), "einsum fp32\n");
  builder.event(2, builder.evidence.ops.at(0), 32768);
  EXPECT_EQ(advised(builder), "mul fp32\neinsum fp32\n") << "it began one";
}

TEST(Advice, DoesNotHelpWhereFp32OverflowsToo) {
  Builder builder;
  queries::OpRow& log = builder.forward("loss", "log");
  log.ranges->nonfinite = 1;
  builder.event(1, log, 65536);
  const Advice advice = advise(builder.evidence);
  EXPECT_TRUE(advice.policy.empty());
  EXPECT_TRUE(says(all_notes(advice), "not finite in FP32 either"));
}

TEST(Advice, TrustsTheShadowAfterAnInfinity) {
  Builder builder;
  overflowing(builder, "a", "exp");
  queries::OpRow& second = builder.forward("b", "sum");  // sums inf: the reference is not finite
  second.ranges->nonfinite = 3;
  second.inherited_exponents.emplace().counts[ExponentHistogram::bin_of(20)] = 1;
  EXPECT_EQ(advised(builder), "exp fp32\nsum fp32\n");
}

TEST(Advice, LetsTheScalerFindItsPlace) {
  Builder builder;
  builder.forward("conv1", "conv2d");
  const queries::OpRow& backward = builder.backward("conv1", "convolution_backward");
  builder.evidence.run.loss_scale_final = 16384;
  builder.event(1, backward, 65536);
  builder.event(2, backward, 32768);
  EXPECT_EQ(advised(builder), "");
}

TEST(Advice, MapsABackwardThatKeepsOverflowingToItsFunction) {
  Builder builder;
  builder.forward("conv1", "conv2d");
  const queries::OpRow& backward = builder.backward("conv1", "convolution_backward");
  for (int step = 1; step <= 10; ++step) builder.event(step, backward, std::ldexp(1.0, 17 - step));
  builder.evidence.run.loss_scale_final = 64;
  const Advice advice = advise(builder.evidence);
  EXPECT_EQ(text_of(advice), "conv2d fp32\n");
  EXPECT_EQ(advice.policy.at(0).overflows, 10);
}

TEST(Advice, CountsOverflowsWhileTheScaleSlides) {
  Builder builder;
  builder.evidence.run.steps = 8;
  builder.forward("conv1", "conv2d");
  const queries::OpRow& backward = builder.backward("conv1", "convolution_backward");
  for (const std::int64_t step : {6, 7}) builder.event(step, backward, 65536);
  EXPECT_EQ(advised(builder), "conv2d fp32\n");
}

/// Adds a gradient that is mostly zero at scale 65536. `exponent` is frexp's exponent of the values before they were
/// flushed.
queries::OpRow& flushing(Builder& builder, int exponent) {
  builder.forward("tail", "linear");
  queries::OpRow& row = builder.backward("tail", "mm");
  row.exponents = ExponentHistogram{};
  row.exponents->counts[ExponentHistogram::bin_of(exponent)] = 900;
  row.exponents->counts[ExponentHistogram::bin_of(0)] = 100;
  row.local = ErrorStats{.count = 1000, .flushed = 900, .sum_sq_error = 0.9, .sum_sq_reference = 1};
  return row;
}

TEST(Advice, RegistersWhatFlushesItsGradientAtAnySafeScale) {
  Builder builder;
  flushing(builder, -40);
  builder.backward("head", "mul.Tensor").ranges->reference_amax = 30000;
  const Advice advice = advise(builder.evidence);
  EXPECT_EQ(text_of(advice), "linear fp32\n");
  EXPECT_NE(advice.policy.at(0).because.find("flushes 90 % of its gradient"), std::string::npos);
}

TEST(Advice, NamesAScaleThatSavesAGradientInstead) {
  Builder builder;
  flushing(builder, -26);
  const Advice advice = advise(builder.evidence);
  EXPECT_TRUE(advice.policy.empty());
  EXPECT_TRUE(
      says(advice.notes, "flushes 90 % of its gradient to zero; a loss scale of 16777216 would reduce this to 0 %."));
}

TEST(Advice, SaysWhatCannotBeRegistered) {
  Builder builder;
  overflowing(builder, "m", "mul_.Tensor");
  overflowing(builder, "m", "to.dtype");
  const Advice advice = advise(builder.evidence);
  EXPECT_TRUE(advice.policy.empty());
  EXPECT_TRUE(says(advice.notes, "call mul out of place"));
  EXPECT_TRUE(says(advice.notes, "remove the cast"));
}

// How call sites become lines
// ------------------------------------------------------------------------------------------

TEST(Advice, NamesTheModuleWhereOnlyItIsConcerned) {
  Builder builder;
  builder.forward("body", "linear", 1e-4);
  builder.forward("decoder.head", "linear", 0.5);
  EXPECT_EQ(advised(builder), "linear fp32 in decoder.head\n");
}

TEST(Advice, NamesTheWholeFunctionWhereAllOrMostAreConcerned) {
  Builder builder;
  for (int i = 0; i < 3; ++i) builder.forward("m" + std::to_string(i), "bmm", 0.5);
  EXPECT_EQ(advised(builder), "bmm fp32\n");
  builder.forward("m3", "bmm", 1e-4);
  const Advice advice = advise(builder.evidence);
  EXPECT_EQ(text_of(advice), "bmm fp32\n") << "three of four";
  EXPECT_EQ(advice.policy.at(0).call_sites.size(), 4u) << "what it reaches, not only what was asked for";
  EXPECT_EQ(advice.impact_after, 0.0);
}

TEST(Advice, FindsAPatternThatMatchesNothingElse) {
  Builder builder;
  for (int i = 0; i < 2; ++i) builder.forward("blocks." + std::to_string(i) + ".attention", "bmm", 0.5);
  for (int i = 0; i < 3; ++i) builder.forward("head" + std::to_string(i), "bmm", 1e-4);
  EXPECT_EQ(advised(builder), "bmm fp32 in blocks.*.attention\n");
  builder.forward("blocks.7.attention", "bmm", 1e-4);
  builder.forward("blocks.8.attention", "bmm", 1e-4);
  EXPECT_EQ(advised(builder), "bmm fp32 in blocks.0.attention\nbmm fp32 in blocks.1.attention\n");
}

TEST(Advice, CannotNameWhatLiesOutsideAllModulesButAsAWhole) {
  Builder builder;
  overflowing(builder, "", "sum.dim_IntList");
  builder.forward("norm", "sum.dim_IntList", 1e-4);
  EXPECT_EQ(advised(builder), "sum fp32\n");
}

TEST(Advice, KeepsLinearApartFromMatmul) {
  Builder builder;
  builder.forward("fc", "linear", 0.5);
  builder.forward("attention", "matmul", 1e-4);
  EXPECT_EQ(advised(builder), "aten::linear fp32\n") << "linear means addmm and matmul as well";
}

TEST(Advice, SurvivesNamesThatNoPolicyHolds) {
  Builder builder;
  overflowing(builder, "a b", "exp");
  overflowing(builder, "m", "ex p\n");
  EXPECT_EQ(advised(builder), "");
}

// Cost of the advised policy
// --------------------------------------------------------------------------------------------------------

TEST(Advice, TellsTheTimeOfTheSameCallSitesInFp32) {
  Builder builder;
  builder.forward("conv1", "conv2d", 0.5).cast_bytes = 5000;
  builder.backward("conv1", "convolution_backward");
  builder.evidence.ops[0].signature = "f16[10,10] f32[3]";
  EXPECT_EQ(advise(builder.evidence).policy.at(0).cost_us, std::nullopt) << "no run in FP32";
  builder.evidence.plain = builder.evidence.ops;
  builder.evidence.plain[0].cpu_us = 300;
  builder.evidence.plain[1].cpu_us = 150;
  const Advice advice = advise(builder.evidence);
  EXPECT_EQ(advice.policy.at(0).cost_us, 25.0) << "20 and 5 a step";
  EXPECT_EQ(advice.cost_us, 25.0);
  EXPECT_EQ(advice.policy.at(0).cast_bytes, 400 - 500) << "a half input to widen, less the casts that go";
  builder.evidence.plain.pop_back();
  EXPECT_EQ(advise(builder.evidence).cost_us, std::nullopt) << "of the backward nothing is known";
}

// Missing evidence
// ------------------------------------------------------------------------------------------------------

TEST(Advice, FallsBackToLocalErrorAndSaysSo) {
  Builder builder;
  builder.forward("conv1", "conv2d");
  queries::OpRow& norm = builder.forward("norm", "var.dim");
  norm.local->sum_sq_error = 0x1p-8;
  const Advice advice = advise(builder.evidence);
  EXPECT_EQ(advice.basis, RankingBasis::LocalError);
  EXPECT_EQ(text_of(advice), "var fp32\n");
  EXPECT_EQ(advice.policy.at(0).because,
            "its local error is 6.2e-02 of its result, 128 times that of one rounding to FP16.");
  EXPECT_EQ(advice.impact_before, std::nullopt);
  EXPECT_EQ(advice.policy.at(0).loss_impact, std::nullopt);
  EXPECT_TRUE(says(advice.notes, "has no loss impact"));
}

TEST(Advice, SaysWhyNoImpactCouldBeMeasured) {
  Builder builder;
  queries::ImpactRow& row = builder.impact(overflowing(builder, "", "einsum"), std::nullopt, std::nullopt);
  row.gap = ImpactGap::GradientNotFinite;
  queries::OpRow& other = builder.forward("norm", "var.dim");
  other.local->sum_sq_error = 0x1p-8;
  const Advice advice = advise(builder.evidence);
  EXPECT_EQ(text_of(advice), "einsum fp32\n") << "what else is to be done shows when the overflow is gone";
  EXPECT_TRUE(says(advice.notes, "the gradient is not finite"));
}

TEST(Advice, PredictsNothingFromTheFewImpactsThatWereMeasured) {
  Builder builder;
  builder.impact(overflowing(builder, "", "exp"), 0.25, 0.25);
  for (const char* op : {"einsum", "conv2d"}) {
    builder.impact(overflowing(builder, "", op), std::nullopt, std::nullopt).gap = ImpactGap::GradientNotFinite;
  }
  const Advice advice = advise(builder.evidence);
  EXPECT_EQ(advice.impact_before, std::nullopt) << "not a made-up 0";
  EXPECT_TRUE(says(advice.notes, "the gradient is not finite"));
}

TEST(Advice, OfNothingIsASentence) {
  const Advice advice = advise({});
  EXPECT_TRUE(advice.policy.empty());
  EXPECT_TRUE(says(advice.notes, "No function is known to overflow, and no local error was measured."));
}

}  // namespace advise_test
}  // namespace ampprof::advice

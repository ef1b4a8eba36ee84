// SPDX-License-Identifier: Apache-2.0
// Tests which call sites the advice holds responsible for an overflow or for a gradient that underflows.
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "precision/advice/advise.h"
#include "tests/precision/advice/evidence_builder.h"

namespace ampprof::advice {
namespace overflow_origins_test {

using testing_advice::Builder;

std::string policy_text(const Advice& advice) { return amp::to_text(policy_of(advice)); }

std::string reasons_for(const Builder& builder) {
  const Advice advice = advise(builder.evidence);
  return advice.policy.empty() ? "" : advice.policy[0].because;
}

std::string notes_of(const Builder& builder) {
  std::string text;
  for (const auto& note : all_notes(advise(builder.evidence))) {
    if (!note.starts_with("The report has no loss impact") && !note.starts_with("No function")) text += note;
  }
  return text;
}

/// Adds a forward op whose result is not finite. The largest value of its reference is `amax`.
queries::OpRow& nonfinite(Builder& builder, const std::string& module, const std::string& op, double amax) {
  queries::OpRow& row = builder.forward(module, op);
  row.ranges->nonfinite = 3;
  row.ranges->reference_amax = amax;
  return row;
}

TEST(ForwardOverflow, BeginsWhereHalfEnds) {
  Builder below;
  nonfinite(below, "m", "exp", 65519);
  EXPECT_EQ(reasons_for(below), "");
  Builder builder;
  nonfinite(builder, "m", "exp", 65520);
  EXPECT_EQ(reasons_for(builder), "m/exp overflows: its result reaches 6.55e+04, but FP16 ends at 65504.");
}

TEST(ForwardOverflow, IsReportedInFp16Only) {
  Builder builder;
  nonfinite(builder, "m", "exp", 80000).dtype_out = DType::BFloat16;
  EXPECT_EQ(reasons_for(builder), "");
}

TEST(ForwardOverflow, NeedsMoreThanALargeReference) {
  Builder builder;
  queries::OpRow& row = builder.forward("m", "exp");
  row.ranges->reference_amax = 80000;
  EXPECT_EQ(reasons_for(builder), "") << "all was finite";
  Builder shadowed = builder;
  shadowed.evidence.ops[0].inherited_exponents.emplace();
  EXPECT_NE(reasons_for(shadowed), "") << "the shadow knows what was finite";
  builder.event(1, row, 65536);
  EXPECT_EQ(reasons_for(builder),
            "m/exp overflows: its result reaches 8e+04, but FP16 ends at 65504; it began 1 non-finite event.");
}

TEST(ForwardOverflow, IsSeenByTheShadowAlone) {
  Builder builder;
  queries::OpRow& row = builder.forward("m", "exp");
  row.inherited_exponents.emplace().counts[ExponentHistogram::bin_of(17)] = 1;
  EXPECT_EQ(reasons_for(builder), "m/exp overflows: its result reaches 6.55e+04, but FP16 ends at 65504.");
  row.ranges->reference_amax = 1e6;
  EXPECT_EQ(reasons_for(builder), "m/exp overflows: its result reaches 1e+06, but FP16 ends at 65504.");
  row.ranges.reset();
  EXPECT_EQ(reasons_for(builder), "m/exp overflows: its result reaches 6.55e+04, but FP16 ends at 65504.");
}

TEST(ForwardOverflow, WithoutAReferenceIsBelieved) {
  Builder builder;
  queries::OpRow& row = builder.forward("m", "exp");
  row.local.reset();
  EXPECT_EQ(reasons_for(builder), "");
  builder.event(1, row, 65536);
  const Advice advice = advise(builder.evidence);
  ASSERT_EQ(advice.policy.size(), 1u);
  EXPECT_EQ(advice.policy[0].overflows, 1);
  EXPECT_EQ(
      advice.policy[0].because,
      "m/exp made NaN or inf from finite inputs and began 1 non-finite event; without a reference it is unknown whether "
      "its result fits in FP32.");
}

TEST(ForwardOverflow, OfFp32TooIsANoteWhereItBeganOne) {
  Builder builder;
  queries::OpRow& row = builder.forward("m", "log");
  EXPECT_EQ(notes_of(builder), "");
  builder.event(1, row, 65536);
  EXPECT_EQ(
      notes_of(builder),
      "FP32 for m/log alone does not help: its result is not finite in FP32 either. This op began 1 non-finite event.");
  builder.evidence.events.back().shadow_holds = true;
  EXPECT_EQ(notes_of(builder),
            "FP32 for m/log alone does not help: its inputs are already wrong. Compute the ops that produce them in "
            "FP32, too. This op began 1 non-finite event.");
}

TEST(ForwardOverflow, OfArithmeticFollowsItsOwnModule) {
  Builder builder;
  nonfinite(builder, "other", "einsum", 80000);
  nonfinite(builder, "m", "mul.Tensor", 80000);
  nonfinite(builder, "m", "add.Tensor", 80000);
  EXPECT_EQ(policy_text(advise(builder.evidence)), "einsum fp32\nmul fp32\nadd fp32\n");
}

TEST(ForwardOverflow, OfArithmeticThatIsChosenForItsImpactIsNotCounted) {
  Builder builder;
  nonfinite(builder, "m", "einsum", 80000);
  builder.impact(nonfinite(builder, "m", "add.Tensor", 80000), 0.5, 0.5);
  const Advice advice = advise(builder.evidence);
  ASSERT_EQ(advice.policy.size(), 2u);
  EXPECT_EQ(advice.policy[1].op, "add");
  EXPECT_EQ(advice.policy[1].overflows, 0);
}

struct Sliding {
  std::int64_t steps;
  std::vector<std::int64_t> events;  ///< steps with an overflow, all at a scale above the final one
  bool expected;
};

void PrintTo(const Sliding& row, std::ostream* out) {
  *out << row.steps << " steps, " << row.events.size() << " events";
}

class SlidingScale : public testing::TestWithParam<Sliding> {};

TEST_P(SlidingScale, IsOneThatKeepsOverflowingInTheSecondHalf) {
  Builder builder;
  builder.evidence.run.steps = GetParam().steps;
  builder.evidence.run.loss_scale_final = 64;
  builder.forward("conv1", "conv2d");
  const queries::OpRow& backward = builder.backward("conv1", "convolution_backward");
  for (const std::int64_t step : GetParam().events) builder.event(step, backward, 128);
  EXPECT_EQ(reasons_for(builder) != "", GetParam().expected) << reasons_for(builder);
}

INSTANTIATE_TEST_SUITE_P(Steps, SlidingScale,
                         testing::Values(Sliding{8, {5}, false}, Sliding{8, {5, 6}, true}, Sliding{8, {4, 5}, false},
                                         Sliding{7, {4, 5, 6, 7}, false}, Sliding{10, {6}, false},
                                         Sliding{10, {6, 7}, true}, Sliding{10, {5, 6}, false}),
                         [](const auto& info) { return std::to_string(info.index); });

TEST(SlidingScale, IsNotOneThatGrowsAndIsHalved) {
  Builder builder;
  builder.evidence.run.steps = 100;
  builder.evidence.run.loss_scale_final = 65536;
  builder.forward("conv1", "conv2d");
  const queries::OpRow& backward = builder.backward("conv1", "convolution_backward");
  for (const std::int64_t step : {55, 75, 95}) builder.event(step, backward, 65536);
  EXPECT_EQ(reasons_for(builder), "") << "a scaler at work";
}

TEST(SlidingScale, IsNoReasonWhereASmallerScaleHoldsTheGradient) {
  Builder builder;
  builder.forward("out", "linear");
  const queries::OpRow& backward = builder.backward("out", "mm");
  for (int step = 1; step <= 9; ++step) {
    queries::EventRow& event = builder.event(step, backward, std::ldexp(1.0, 17 - step));
    event.cause = NonfiniteCause::TooLarge;
    event.largest_safe_scale = 128;
  }
  EXPECT_EQ(reasons_for(builder) + notes_of(builder), "");
  for (queries::EventRow& event : builder.evidence.events) event.largest_safe_scale.reset();
  EXPECT_EQ(reasons_for(builder) + notes_of(builder), "") << "an unknown scale may hold it";
  for (queries::EventRow& event : builder.evidence.events) event.largest_safe_scale = 0.5;
  EXPECT_EQ(reasons_for(builder), "backward out/mm began 9 non-finite events, however small the loss scale became.")
      << "the gradient itself does not fit";
}

TEST(BackwardOverflow, NamesOnlyItsOwnEvents) {
  Builder builder;
  builder.forward("conv1", "conv2d");
  const queries::OpRow& backward = builder.backward("conv1", "convolution_backward");
  builder.evidence.run.steps = 8;
  builder.event(6, backward, 65536);
  builder.event(7, backward, 32768);
  builder.event(8, builder.backward("conv1", "mul.Tensor"), 16384);
  EXPECT_EQ(reasons_for(builder),
            "backward conv1/convolution_backward began 2 non-finite events, however small the loss scale became.");
  EXPECT_EQ(
      notes_of(builder),
      "backward conv1/mul.Tensor began 1 non-finite event, however small the loss scale became. ampprof cannot tell "
      "which function of the module this backward op belongs to; look at the op's caller.");
}

TEST(BackwardOverflow, OfAnOpThatCannotBeRegisteredIsANote) {
  Builder builder;
  builder.forward("m", "mul_.Tensor");
  builder.evidence.run.steps = 8;
  const queries::OpRow& backward = builder.backward("m", "mul.Tensor");
  for (const std::int64_t step : {6, 7}) builder.event(step, backward, 65536);
  EXPECT_EQ(reasons_for(builder), "");
  EXPECT_EQ(notes_of(builder),
            "backward m/mul.Tensor began 2 non-finite events, however small the loss scale became. No policy rule can "
            "change this: it writes in place into a tensor of reduced precision: call mul out of place.");
}

/// Adds a gradient that loses `flushed` of 1000 values at any scale. Its relative error is sqrt(error).
queries::OpRow& flushing(Builder& builder, std::int64_t flushed, double error) {
  builder.forward("tail", "linear");
  queries::OpRow& row = builder.backward("tail", "mm");
  row.exponents = ExponentHistogram{};
  row.exponents->counts[ExponentHistogram::bin_of(-60)] = flushed;
  row.exponents->counts[ExponentHistogram::bin_of(0)] = 1000 - flushed;
  row.local = ErrorStats{.count = 1000, .flushed = flushed, .sum_sq_error = error, .sum_sq_reference = 1};
  return row;
}

TEST(FlushedGradient, IsBadFromAQuarterOn) {
  Builder builder;
  flushing(builder, 250, 0.0625);
  EXPECT_EQ(reasons_for(builder),
            "backward tail/mm flushes 25 % of its gradient to zero, and 25 % even at the largest safe loss scale.");
  for (const auto& [flushed, error] : {std::pair(249, 0.9), std::pair(900, 0.06)}) {
    Builder better;
    flushing(better, flushed, error);
    EXPECT_EQ(reasons_for(better) + notes_of(better), "") << flushed;
  }
}

TEST(FlushedGradient, MayBeOneValueOfFour) {
  Builder builder;
  queries::OpRow& row = flushing(builder, 1, 0.9);
  row.exponents->counts[ExponentHistogram::bin_of(0)] = 3;
  EXPECT_EQ(reasons_for(builder),
            "backward tail/mm flushes 25 % of its gradient to zero, and 25 % even at the largest safe loss scale.");
}

TEST(FlushedGradient, IsJudgedWhereAllIsKnown) {
  const auto lost = [](auto change) {
    Builder builder;
    change(flushing(builder, 900, 0.9));
    return reasons_for(builder) + notes_of(builder);
  };
  EXPECT_NE(lost([](queries::OpRow&) {}), "");
  EXPECT_EQ(lost([](queries::OpRow& row) { row.dtype_out = DType::BFloat16; }), "");
  EXPECT_EQ(lost([](queries::OpRow& row) { row.local.reset(); }), "");
  EXPECT_EQ(lost([](queries::OpRow& row) { row.exponents.reset(); }), "");
  EXPECT_EQ(lost([](queries::OpRow& row) {
              row.exponents = ExponentHistogram{};
              row.local->flushed = 0;
            }),
            "");
}

TEST(FlushedGradient, OfAnUnknownScaleIsLostAtEach) {
  Builder builder;
  flushing(builder, 900, 0.9).scale.reset();
  builder.backward("head", "mul.Tensor");
  EXPECT_EQ(reasons_for(builder),
            "backward tail/mm flushes 90 % of its gradient to zero, and 100 % even at the largest safe loss scale.");
}

TEST(FlushedGradient, IsWhatTheShadowSaw) {
  Builder builder;
  queries::OpRow& row = flushing(builder, 900, 0.9);
  row.inherited_exponents = ExponentHistogram{};
  row.inherited_exponents->counts[ExponentHistogram::bin_of(0)] = 1000;
  EXPECT_EQ(
      notes_of(builder),
      "backward tail/mm flushes 90 % of its gradient to zero; a loss scale of 16777216 would reduce this to 0 %.");
}

}  // namespace overflow_origins_test
}  // namespace ampprof::advice

// SPDX-License-Identifier: Apache-2.0
#include "profiler/overflow/nonfinite_trace.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace nonfinite_trace_test {

using enum NonfiniteOutcome;
using Chain = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;
using Id = NonfiniteTrace::Id;

constexpr int kMemory[2] = {};
constexpr NonfiniteTrace::Memory kGradient = &kMemory[0];
constexpr NonfiniteTrace::Memory kOther = &kMemory[1];

Id joined(NonfiniteTrace& trace, const std::vector<Id>& ids) { return trace.joined(ids); }

/// Returns the only event. Fails and returns an empty event if there is not exactly one.
NonfiniteEvent only(NonfiniteTrace& trace) {
  const std::vector<NonfiniteEvent> events = trace.settle_all();
  EXPECT_EQ(events.size(), 1u);
  return events.size() == 1 ? events.front() : NonfiniteEvent{};
}

TEST(NonfiniteTrace, AnEventSaysWhereItBeganAndWhereItWent) {
  NonfiniteTrace trace;
  const Id id = trace.found({.call_site = 7,
                             .phase = Phase::Backward,
                             .segment = 3,
                             .micro_batch = 2,
                             .reference_amax = 98304.0,
                             .cause = NonfiniteCause::TooLarge,
                             .fp32_holds = true});
  for (const std::int64_t site : {7, 9, 9, 8}) trace.spread(id, site, Phase::Backward);
  trace.compared_with_shadow(7, 3, false);
  trace.compared_with_shadow(9, 3, true);
  const NonfiniteEvent event = only(trace);
  EXPECT_EQ(event.segment, 3);
  EXPECT_EQ(event.micro_batch, 2);
  EXPECT_EQ(event.first_site, 7);
  EXPECT_EQ(event.cause, NonfiniteCause::TooLarge);
  EXPECT_EQ(event.value, 98304.0);
  EXPECT_EQ(event.fp32_holds, true);
  EXPECT_EQ(event.shadow_holds, false);
  EXPECT_EQ(event.outcome, Nothing);
  EXPECT_FALSE(event.by_scaler);
  EXPECT_EQ(event.chain, (Chain{7, 9, 8}));
}

TEST(NonfiniteTrace, TheChainIsBounded) {
  NonfiniteTrace trace;
  const Id id = trace.found({.call_site = 1});
  for (std::int64_t site = 1; site <= 100; ++site) trace.spread(id, site, Phase::Forward);
  EXPECT_EQ(only(trace).chain.size(), 64u);
}

TEST(NonfiniteTrace, ACallSiteBeginsOneEventInASegment) {
  NonfiniteTrace trace;
  EXPECT_EQ(trace.found({.call_site = 1, .segment = 1}), trace.found({.call_site = 1, .segment = 1}));
  EXPECT_NE(trace.found({.call_site = 1, .segment = 1}), trace.found({.call_site = 2, .segment = 1}));
  const auto events = trace.settle_all();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].calls, 3);
}

TEST(NonfiniteTrace, EventsWhoseValuesMeetAreTheFirstOfThem) {
  NonfiniteTrace trace;
  const Id harmless = trace.found({.call_site = 1});
  const Id first = trace.found({.call_site = 2});
  const Id second = trace.found({.call_site = 3});
  EXPECT_EQ(joined(trace, {second, first, NonfiniteTrace::kOutside}), first);
  EXPECT_EQ(joined(trace, {second}), first) << "what descended from the second event descends from the first";
  trace.reached(second, Loss, "", 0);
  trace.made_finite(harmless, Masked, 4, nullptr);
  const auto events = trace.settle_all();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].outcome, Masked) << "an earlier event that the effect does not descend from";
  EXPECT_EQ(events[1].first_site, 2);
  EXPECT_EQ(events[1].outcome, Loss);
  EXPECT_EQ(events[1].chain, (Chain{2, 3}));
}

TEST(NonfiniteTrace, AnInputFromOutsideIsNotAnEvent) {
  NonfiniteTrace trace;
  EXPECT_EQ(joined(trace, {NonfiniteTrace::kOutside}), NonfiniteTrace::kOutside);
  trace.spread(NonfiniteTrace::kOutside, 1, Phase::Forward);
  trace.reached(NonfiniteTrace::kOutside, Weight, "w", 1);
  EXPECT_TRUE(trace.settle_all().empty());
}

TEST(NonfiniteTrace, TheOutcomeIsTheMostThatHappened) {
  NonfiniteTrace trace;
  const Id id = trace.found({.call_site = 1});
  trace.reached(id, Weight, "", 5);
  trace.reached(id, Loss, "", 6);
  trace.made_finite(id, Masked, 7, nullptr);
  trace.reached(id, Weight, "fc.weight", 8);
  const NonfiniteEvent event = only(trace);
  EXPECT_EQ(event.outcome, Weight);
  EXPECT_EQ(event.outcome_site, 5);
  EXPECT_EQ(event.reached, "fc.weight") << "the name came later";
}

TEST(NonfiniteTrace, AGradientIsNotTheOutcomeIfAllAreClamped) {
  NonfiniteTrace trace;
  const Id id = trace.found({.call_site = 1});
  const Id other = trace.found({.call_site = 2});
  trace.reached_gradient(id, "fc.weight", 2, kGradient);
  trace.reached_gradient(id, "fc.bias", 2, kOther);
  trace.reached_gradient(other, "fc.bias", 2, kOther);
  trace.made_finite(id, Clamped, 3, kGradient);
  trace.made_finite(other, Clamped, 3, kOther);
  const auto events = trace.settle_all();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].outcome, Gradient) << "that of the bias is left";
  EXPECT_EQ(events[1].outcome, Clamped);
  EXPECT_EQ(events[1].outcome_site, 3);
}

TEST(NonfiniteTrace, WhatInferenceLeavesIsItsResult) {
  NonfiniteTrace trace;
  const Id image = trace.found({.call_site = 1, .phase = Phase::Inference});
  const Id mask = trace.found({.call_site = 2, .phase = Phase::Inference});
  trace.made_finite(mask, Masked, 3, nullptr);
  trace.spread(image, 4, Phase::Inference);
  const auto events = trace.settle_all();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].outcome, Result);
  EXPECT_EQ(events[1].outcome, Masked);
}

TEST(NonfiniteTrace, AnEventIsOpenToTheEndOfItsStep) {
  NonfiniteTrace trace;
  EXPECT_TRUE(trace.settle(1).empty());
  const Id id = trace.found({.call_site = 1});
  EXPECT_TRUE(trace.settle(1).empty()) << "a later micro-batch";
  trace.reached(id, Loss, "", 0);
  const auto events = trace.settle(2);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].outcome, Loss);
  trace.reached(id, Weight, "", 0);
  EXPECT_TRUE(trace.settle_all().empty()) << "it was recorded";
}

TEST(NonfiniteTrace, AnEventAfterAnUpdateIsOpenToTheNext) {
  NonfiniteTrace trace;
  trace.settle(1);
  trace.found({.call_site = 1, .segment = 1});
  trace.updated();
  const Id mask = trace.found({.call_site = 2, .segment = 1});
  EXPECT_EQ(trace.settle(2).size(), 1u);
  trace.made_finite(mask, Masked, 3, nullptr);
  trace.updated();
  const auto events = trace.settle(3);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].outcome, Masked);
}

TEST(NonfiniteTrace, AWeightThatIsSpoiltIsTheOriginOfLaterSteps) {
  NonfiniteTrace trace;
  const Id of_weight = trace.found({.call_site = 1});
  trace.reached(of_weight, Weight, "w", 1);
  const Id mask = trace.found({.call_site = 2});
  EXPECT_TRUE(trace.settle(1).empty()) << "it was made for the first step";
  EXPECT_EQ(trace.settle(2).size(), 2u);
  const Id later = trace.found({.call_site = 3});
  EXPECT_EQ(joined(trace, {later, of_weight}), of_weight);
  EXPECT_EQ(joined(trace, {later, mask}), later);
}

TEST(NonfiniteTrace, ACallSiteThatBeginsManyIsAddedUp) {
  NonfiniteTrace trace;
  trace.settle(0);
  std::size_t recorded = 0;
  for (std::int64_t step = 1; step <= 1000; ++step) {
    trace.found({.call_site = 1, .segment = step});
    recorded += trace.settle(step).size();
  }
  EXPECT_EQ(recorded, 100u);
  const NonfiniteEvent rest = only(trace);
  EXPECT_EQ(rest.steps, 900);
  EXPECT_EQ(rest.segment, 101);
}

TEST(NonfiniteTrace, AStepHasABoundedNumberOfEvents) {
  NonfiniteTrace trace;
  for (std::int64_t site = 1; site <= 300; ++site) trace.found({.call_site = site});
  EXPECT_EQ(trace.settle_all().size(), 256u);
  EXPECT_EQ(trace.take_left_out(), 44);
  EXPECT_EQ(trace.take_left_out(), 0);
}

TEST(NonfiniteTrace, AScalerDecidesOnTheEventThatItsGradientsDescendFrom) {
  NonfiniteTrace trace;
  const Id harmless = trace.found({.call_site = 1});
  const Id id = trace.found({.call_site = 2, .phase = Phase::Backward, .scale = 8.0, .reference_amax = 65504.0});
  trace.made_finite(harmless, Masked, 3, nullptr);
  trace.decided(id, {.segment = 4, .scale_before = 8, .scale_after = 4, .skipped = true},
                {{.name = "w", .finite_amax = std::nullopt}}, trace.largest_safe_scale(id));
  const auto events = trace.settle_all();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_FALSE(events[0].by_scaler);
  EXPECT_EQ(events[0].outcome, Masked);
  EXPECT_TRUE(events[1].by_scaler);
  EXPECT_EQ(events[1].first_site, 2);
  EXPECT_EQ(events[1].outcome, Skipped);
  EXPECT_EQ(events[1].reached, "w");
  EXPECT_EQ(events[1].scale_after, 4);
  EXPECT_EQ(events[1].largest_safe_scale, 8.0);
}

TEST(NonfiniteTrace, ADecisionBecauseOfAnEarlierStepHasAnEventOfItsOwn) {
  NonfiniteTrace trace;
  const Id id = trace.found({.call_site = 2, .segment = 1});
  trace.reached(id, Weight, "w", 0);
  trace.settle(1);
  EXPECT_EQ(trace.settle(2).size(), 1u);
  trace.decided(id, {.segment = 2, .skipped = true}, {}, {});
  trace.decided(NonfiniteTrace::kOutside, {.segment = 2, .skipped = true}, {}, {});
  const auto events = trace.settle_all();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].first_site, 2);
  EXPECT_EQ(events[0].segment, 2);
  EXPECT_EQ(events[1].first_site, 0) << "unknown";
  EXPECT_TRUE(events[1].by_scaler);
}

TEST(NonfiniteTrace, ASkippedUpdateIsTheOutcomeOfAllGradients) {
  NonfiniteTrace trace;
  const Id first = trace.found({.call_site = 1});
  const Id second = trace.found({.call_site = 2});
  trace.reached_gradient(second, "b", 3, kOther);
  trace.decided(first, {.skipped = true}, {}, {});
  const auto events = trace.settle_all();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].outcome, Skipped);
  EXPECT_FALSE(events[1].by_scaler) << "one decision is one overflow";
}

TEST(NonfiniteTrace, TheFirstOpBoundsTheSafeScale) {
  NonfiniteTrace trace;
  EXPECT_EQ(trace.largest_safe_scale(NonfiniteTrace::kOutside), std::nullopt);
  const Id id = trace.found({.call_site = 1, .phase = Phase::Backward, .scale = 1024, .reference_amax = 2 * 65504.0});
  EXPECT_EQ(trace.largest_safe_scale(id), (NonfiniteTrace::SafeScale{512, true}));
}

TEST(NonfiniteTrace, GradientsThatNothingRoundedGiveTheSafeScaleItself) {
  NonfiniteTrace trace;
  const Id id = trace.found({.call_site = 1, .phase = Phase::Backward, .scale = 1024, .reference_amax = 2 * 65504.0});
  trace.gradients.without_rounding(2 * 65504.0, 1024);
  trace.gradients.without_rounding(8 * 65504.0, 1024);
  EXPECT_EQ(trace.largest_safe_scale(id), (NonfiniteTrace::SafeScale{128, false})) << "a later op had the largest";
}

TEST(NonfiniteTrace, NoScaleIsSafeWhereTheForwardOverflowed) {
  NonfiniteTrace trace;
  const Id id = trace.found({.call_site = 1, .phase = Phase::Forward});
  trace.gradients.without_rounding(1, 1024);
  EXPECT_EQ(trace.largest_safe_scale(id), std::nullopt);
}

Texts sorted_by(const NonfiniteTrace& trace, Id id, const Texts& names) {
  std::vector<EventParameter> parameters;
  for (const std::string& name : names) parameters.emplace_back().name = name;
  trace.gradients.sort(parameters, trace.first_gradient(id));
  Texts sorted;
  for (const EventParameter& parameter : parameters) sorted.push_back(parameter.name);
  return sorted;
}

TEST(NonfiniteTrace, ParametersAreSortedAsTheirGradientsWereAccumulated) {
  NonfiniteTrace trace;
  EXPECT_EQ(sorted_by(trace, 0, {"a", "b"}), (Texts{"a", "b"})) << "none was seen";
  for (const char* parameter : {"c", "c", "", "b", "a"}) trace.gradients.place_of_call(parameter);
  EXPECT_EQ(sorted_by(trace, 0, {"unseen", "a", "b", "c"}), (Texts{"c", "b", "a", "unseen"}));
  trace.gradients.place_of_call("c");
  EXPECT_EQ(sorted_by(trace, 0, {"a", "b", "c"}), (Texts{"b", "a", "c"})) << "the next micro-batch";
  trace.gradients.clear();
  EXPECT_EQ(sorted_by(trace, 0, {"a", "b", "c"}), (Texts{"a", "b", "c"}));
}

TEST(NonfiniteTrace, ParametersThatTheOriginCannotHaveReachedComeLater) {
  NonfiniteTrace trace;
  trace.gradients.place_of_call("c");
  const Id id = trace.found({.call_site = 1, .phase = Phase::Backward, .gradient = trace.gradients.place_of_call("")});
  trace.gradients.place_of_call("b");
  trace.gradients.place_of_call("a");
  EXPECT_EQ(sorted_by(trace, id, {"a", "b", "c"}), (Texts{"b", "a", "c"}));
}

TEST(NonfiniteTrace, AnOriginInAHookReachesTheParameterOfTheHook) {
  NonfiniteTrace trace;
  trace.gradients.place_of_call("b");
  const Id id = trace.found({.call_site = 1, .phase = Phase::Backward, .gradient = trace.gradients.place_of_call("a")});
  EXPECT_EQ(sorted_by(trace, id, {"b", "a"}), (Texts{"a", "b"}));
}

}  // namespace nonfinite_trace_test
}  // namespace ampprof::profiler

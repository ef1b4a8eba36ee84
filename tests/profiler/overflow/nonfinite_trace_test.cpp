// SPDX-License-Identifier: Apache-2.0
#include "profiler/overflow/nonfinite_trace.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace nonfinite_trace_test {

using Chain = std::vector<std::int64_t>;

TEST(NonfiniteTrace, TheFirstOriginStays) {
  NonfiniteTrace trace;
  EXPECT_TRUE(trace.looks_for_origin());
  trace.found({.call_site = 3});
  trace.found({.call_site = 4});
  EXPECT_FALSE(trace.looks_for_origin());
  EXPECT_EQ(trace.origin()->call_site, 3);
}

TEST(NonfiniteTrace, WhatCameInFromOutsideHasNoOrigin) {
  NonfiniteTrace trace;
  trace.came_in();
  trace.found({.call_site = 4});
  EXPECT_FALSE(trace.origin());
  EXPECT_FALSE(trace.looks_for_origin());
}

TEST(NonfiniteTrace, TheChainKeepsItsOrderAndIsBounded) {
  NonfiniteTrace trace;
  for (std::int64_t site = 1; site <= 100; ++site) trace.spread_to(site);
  EXPECT_EQ(trace.chain().size(), 64u);
  EXPECT_EQ(trace.chain().front(), 1);
  trace.clear();
  EXPECT_EQ(trace.chain(), Chain{});
}

TEST(NonfiniteTrace, AnUpdateForgetsABackwardsOriginButNotItsOwn) {
  NonfiniteTrace trace;
  trace.found({.call_site = 1, .phase = Phase::Backward});
  trace.clear_unless_from_optimizer();
  EXPECT_TRUE(trace.looks_for_origin());
  trace.found({.call_site = 2, .phase = Phase::Optimizer});
  trace.clear_unless_from_optimizer();
  EXPECT_EQ(trace.origin()->call_site, 2);
}

TEST(NonfiniteTrace, TheFirstOpBoundsTheSafeScale) {
  NonfiniteTrace trace;
  EXPECT_EQ(trace.largest_safe_scale(), std::nullopt);
  trace.found({.call_site = 1, .phase = Phase::Backward, .scale = 1024, .reference_amax = 2 * 65504.0});
  EXPECT_EQ(trace.largest_safe_scale(), (NonfiniteTrace::SafeScale{512, true}));
}

TEST(NonfiniteTrace, GradientsThatNothingRoundedGiveTheSafeScaleItself) {
  NonfiniteTrace trace;
  trace.found({.call_site = 1, .phase = Phase::Backward, .scale = 1024, .reference_amax = 2 * 65504.0});
  trace.gradient_without_rounding(2 * 65504.0, 1024);
  trace.gradient_without_rounding(8 * 65504.0, 1024);
  EXPECT_EQ(trace.largest_safe_scale(), (NonfiniteTrace::SafeScale{128, false})) << "a later op had the largest";
  trace.clear();
  EXPECT_EQ(trace.largest_safe_scale(), std::nullopt);
}

TEST(NonfiniteTrace, NoScaleIsSafeWhereTheForwardOverflowed) {
  NonfiniteTrace trace;
  trace.found({.call_site = 1, .phase = Phase::Forward});
  trace.gradient_without_rounding(1, 1024);
  EXPECT_EQ(trace.largest_safe_scale(), std::nullopt);
  trace.clear();
  trace.came_in();
  trace.gradient_without_rounding(1, 1024);
  EXPECT_EQ(trace.largest_safe_scale(), std::nullopt);
}

using Texts = std::vector<std::string>;

Texts sorted_by(const NonfiniteTrace& trace, const Texts& names) {
  std::vector<EventParameter> parameters;
  for (const std::string& name : names) parameters.emplace_back().name = name;
  trace.sort(parameters);
  Texts sorted;
  for (const EventParameter& parameter : parameters) sorted.push_back(parameter.name);
  return sorted;
}

TEST(NonfiniteTrace, ParametersAreSortedAsTheirGradientsWereAccumulated) {
  NonfiniteTrace trace;
  EXPECT_EQ(sorted_by(trace, {"a", "b"}), (Texts{"a", "b"})) << "nobody saw any";
  for (const char* parameter : {"c", "c", "", "b", "a"}) trace.place_of_call(parameter);
  EXPECT_EQ(sorted_by(trace, {"unseen", "a", "b", "c"}), (Texts{"c", "b", "a", "unseen"}));
  trace.place_of_call("c");
  EXPECT_EQ(sorted_by(trace, {"a", "b", "c"}), (Texts{"b", "a", "c"})) << "the next micro-batch";
  trace.clear();
  EXPECT_EQ(sorted_by(trace, {"a", "b", "c"}), (Texts{"a", "b", "c"}));
}

TEST(NonfiniteTrace, ParametersThatTheOriginCannotHaveReachedComeLater) {
  NonfiniteTrace trace;
  trace.place_of_call("c");
  trace.found({.call_site = 1, .phase = Phase::Backward, .gradient = trace.place_of_call("")});
  trace.place_of_call("b");
  trace.place_of_call("a");
  EXPECT_EQ(sorted_by(trace, {"a", "b", "c"}), (Texts{"b", "a", "c"}));
}

TEST(NonfiniteTrace, AnOriginInAHookReachesTheParameterOfTheHook) {
  NonfiniteTrace trace;
  trace.place_of_call("b");
  trace.found({.call_site = 1, .phase = Phase::Backward, .gradient = trace.place_of_call("a")});
  EXPECT_EQ(sorted_by(trace, {"b", "a"}), (Texts{"a", "b"}));
}

TEST(NonfiniteTrace, AnEventSaysWhatIsKnown) {
  NonfiniteTrace trace;
  const OverflowEvent nothing = trace.event();
  EXPECT_EQ(nothing.first_site, OverflowEvent{}.first_site);
  EXPECT_TRUE(nothing.chain.empty());
  trace.found({.call_site = 7, .phase = Phase::Backward, .scale = 8.0, .reference_amax = 65504.0});
  trace.spread_to(7);
  trace.spread_to(9);
  const OverflowEvent event = trace.event();
  EXPECT_EQ(event.first_site, 7);
  EXPECT_EQ(event.largest_safe_scale, 8.0);
  EXPECT_TRUE(event.largest_safe_scale_is_bound);
  EXPECT_EQ(event.chain, (std::vector<std::int64_t>{7, 9}));
}

}  // namespace nonfinite_trace_test
}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/workbench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "precision/advice/advise.h"
#include "tests/precision/advice/evidence_builder.h"

namespace ampprof {
namespace workbench_test {

using Places = Workbench::Places;
using testing_advice::Builder;

/// A net whose softmax matters most, with a run in FP32 beside it.
Builder net() {
  Builder builder;
  builder.forward("conv1", "conv2d", 1e-3);
  builder.backward("conv1", "convolution_backward");
  for (int i = 0; i < 3; ++i) builder.forward("blocks." + std::to_string(i), "bmm", 0.125 * i);
  builder.forward("head", "softmax.int", 0.5);
  builder.forward("head", "add_.Tensor", 0.25);
  builder.evidence.plain = builder.evidence.ops;
  for (OpRow& op : builder.evidence.plain) op.cpu_us *= 2;
  return builder;
}

Places all_of(const Workbench& workbench) {
  Places places(workbench.units().size());
  std::iota(places.begin(), places.end(), 0);
  return places;
}

std::size_t unit_at(const Workbench& workbench, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(workbench.units(), name, &Unit::name) - workbench.units().begin());
}

TEST(Workbench, OfWhatIsAdvisedTellsWhatTheAdviceTells) {
  const Builder builder = net();
  for (const double target : {0.0, 0.1, 0.5, 1.0}) {
    const AdviceOptions options{.target_share = target};
    const Workbench workbench(builder.evidence, options);
    const Advice advised = advise(builder.evidence, options);
    const Advice chosen = workbench.advice(proposed(workbench));
    EXPECT_EQ(policy_of(chosen), policy_of(advised));
    EXPECT_EQ(chosen.impact_before, advised.impact_before);
    EXPECT_EQ(chosen.impact_after, advised.impact_after);
    EXPECT_EQ(chosen.cost_us, advised.cost_us);
  }
}

TEST(Workbench, PricesFp32ByTheGpuWhereBothRunsSawOne) {
  Builder builder;
  OpRow& op = builder.forward("head", "softmax.int", 0.5);
  op.cpu_us = 7;
  op.gpu_us = 100;
  builder.evidence.plain = builder.evidence.ops;
  OpRow& plain = builder.evidence.plain.front();
  plain.cpu_us = 5;
  plain.gpu_us = 400;
  EXPECT_DOUBLE_EQ(*Workbench(builder.evidence).advice({0}).cost_us, 300.0 / 10) << "in each of ten steps";
  plain.gpu_us.reset();
  EXPECT_DOUBLE_EQ(*Workbench(builder.evidence).advice({0}).cost_us, -2.0 / 10);
}

TEST(Workbench, ProposesWhatMustBeWhereNoImpactIsKnown) {
  Builder builder;
  builder.forward("conv1", "conv2d");
  builder.forward("norm", "var.dim").local->sum_sq_error = 0x1p-8;
  const Workbench workbench(builder.evidence);
  EXPECT_EQ(proposed(workbench), Places{unit_at(workbench, "var in norm")});
}

TEST(Workbench, OfNothingChangesNothing) {
  const Builder builder = net();
  const Advice advice = Workbench(builder.evidence).advice({});
  EXPECT_TRUE(advice.policy.empty());
  EXPECT_EQ(advice.impact_after, advice.impact_before);
  EXPECT_EQ(advice.cost_us, 0.0);
}

TEST(Workbench, CountsAllThatItsLinesReach) {
  const Builder builder = net();
  const Workbench workbench(builder.evidence);
  const Advice softmax = workbench.advice({unit_at(workbench, "softmax in head")});
  EXPECT_EQ(amp::to_text(policy_of(softmax)), "softmax fp32\n");
  EXPECT_DOUBLE_EQ(*softmax.impact_before - *softmax.impact_after, 0.5);
  EXPECT_EQ(softmax.cost_us, 10) << "10 µs a step more";
  const Advice backward_too = workbench.advice({unit_at(workbench, "conv2d in conv1")});
  EXPECT_EQ(backward_too.cost_us, 20);
}

TEST(Workbench, DoesNotAskForAnOrder) {
  const Builder builder = net();
  const Workbench workbench(builder.evidence);
  Places backwards = all_of(workbench);
  std::ranges::reverse(backwards);
  EXPECT_EQ(policy_of(workbench.advice(backwards)), policy_of(workbench.advice(all_of(workbench))));
}

TEST(Workbench, NamesWhatNoLineCanReach) {
  const Builder builder = net();
  const Workbench workbench(builder.evidence);
  const Advice advice = workbench.advice({unit_at(workbench, "add in head")});
  EXPECT_TRUE(advice.policy.empty());
  EXPECT_EQ(advice.impact_after, advice.impact_before);
  ASSERT_EQ(advice.notes.size(), 1u);
  EXPECT_NE(advice.notes[0].find("write add out of place"), std::string::npos);
}

TEST(Workbench, KnowsTheUnitOfACallSite) {
  Builder builder = net();
  builder.evidence.ops.push_back(builder.evidence.ops.front());
  builder.evidence.ops.back().phase = Phase::Optimizer;
  const Workbench workbench(builder.evidence);
  const auto& ops = builder.evidence.ops;
  EXPECT_EQ(workbench.unit_of(ops[0]), unit_at(workbench, "conv2d in conv1"));
  EXPECT_EQ(workbench.unit_of(ops[1]), workbench.unit_of(ops[0])) << "its backward";
  EXPECT_EQ(workbench.unit_of(ops.back()), std::nullopt);
}

/// The impact left by the first, second, ... `order` taken one after the other.
std::vector<double> impacts_on_the_way(const Workbench& workbench, const Places& order) {
  std::vector<double> impacts{*workbench.advice({}).impact_after};
  Places chosen;
  for (const std::size_t place : order) {
    chosen.push_back(place);
    impacts.push_back(*workbench.advice(chosen).impact_after);
  }
  return impacts;
}

TEST(Workbench, LeavesNoMoreTheMoreIsChosen) {
  const Builder builder = net();
  const Workbench workbench(builder.evidence);
  Places order = all_of(workbench);
  do {
    const auto impacts = impacts_on_the_way(workbench, order);
    ASSERT_TRUE(std::ranges::is_sorted(impacts, std::ranges::greater()));
  } while (std::ranges::next_permutation(order).found);
}

TEST(Workbench, SaysSoWhereWhatIsChosenCancelledTheRest) {
  Builder builder;
  builder.forward("a", "bmm", 1.0);
  builder.forward("b", "softmax.int", 1.0);
  builder.forward("c", "exp", -1.0);
  const Workbench workbench(builder.evidence);
  const auto impacts = impacts_on_the_way(workbench, {unit_at(workbench, "exp in c")});
  EXPECT_DOUBLE_EQ(impacts[0] * impacts[0], 3.0) << "as if signs were independent";
  EXPECT_DOUBLE_EQ(impacts[1], 2.0);
}

}  // namespace workbench_test
}  // namespace ampprof

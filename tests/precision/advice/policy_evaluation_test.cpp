// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/policy_evaluation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "precision/advice/advise.h"
#include "tests/precision/advice/evidence_builder.h"

namespace ampprof::advice {
namespace policy_evaluation_test {

using Places = PolicyEvaluation::Places;
using testing_advice::Builder;

/// Returns a net whose softmax has the largest impact, and an FP32 run for comparison.
Builder net() {
  Builder builder;
  builder.forward("conv1", "conv2d", 1e-3);
  builder.backward("conv1", "convolution_backward");
  for (int i = 0; i < 3; ++i) builder.forward("blocks." + std::to_string(i), "bmm", 0.125 * i);
  builder.forward("head", "softmax.int", 0.5);
  builder.forward("head", "add_.Tensor", 0.25);
  builder.evidence.plain = builder.evidence.ops;
  for (queries::OpRow& op : builder.evidence.plain) op.cpu_us *= 2;
  return builder;
}

Places all_of(const PolicyEvaluation& evaluation) {
  Places places(evaluation.candidates().size());
  std::iota(places.begin(), places.end(), 0);
  return places;
}

std::size_t candidate_at(const PolicyEvaluation& evaluation, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(evaluation.candidates(), name, &FunctionInModule::name) -
                                  evaluation.candidates().begin());
}

TEST(PolicyEvaluation, OfWhatIsAdvisedTellsWhatTheAdviceTells) {
  const Builder builder = net();
  for (const double target : {0.0, 0.1, 0.5, 1.0}) {
    const Options options{.target_share = target};
    const PolicyEvaluation evaluation(builder.evidence, options);
    const Advice advised = advise(builder.evidence, options);
    const Advice chosen = evaluation.advice(proposed(evaluation));
    EXPECT_EQ(policy_of(chosen), policy_of(advised));
    EXPECT_EQ(chosen.impact_before, advised.impact_before);
    EXPECT_EQ(chosen.impact_after, advised.impact_after);
    EXPECT_EQ(chosen.cost_us, advised.cost_us);
  }
}

TEST(PolicyEvaluation, PricesFp32ByTheGpuWhereBothRunsSawOne) {
  Builder builder;
  queries::OpRow& op = builder.forward("head", "softmax.int", 0.5);
  op.cpu_us = 7;
  op.gpu_us = 100;
  builder.evidence.plain = builder.evidence.ops;
  queries::OpRow& plain = builder.evidence.plain.front();
  plain.cpu_us = 5;
  plain.gpu_us = 400;
  EXPECT_DOUBLE_EQ(*PolicyEvaluation(builder.evidence).advice({0}).cost_us, 300.0 / 10) << "in each of ten steps";
  plain.gpu_us.reset();
  EXPECT_DOUBLE_EQ(*PolicyEvaluation(builder.evidence).advice({0}).cost_us, -2.0 / 10);
}

TEST(PolicyEvaluation, ProposesWhatMustBeWhereNoImpactIsKnown) {
  Builder builder;
  builder.forward("conv1", "conv2d");
  builder.forward("norm", "var.dim").local->sum_sq_error = 0x1p-8;
  const PolicyEvaluation evaluation(builder.evidence);
  EXPECT_EQ(proposed(evaluation), Places{candidate_at(evaluation, "var in norm")});
}

TEST(PolicyEvaluation, OfNothingChangesNothing) {
  const Builder builder = net();
  const Advice advice = PolicyEvaluation(builder.evidence).advice({});
  EXPECT_TRUE(advice.policy.empty());
  EXPECT_EQ(advice.impact_after, advice.impact_before);
  EXPECT_EQ(advice.cost_us, 0.0);
}

TEST(PolicyEvaluation, CountsAllThatItsLinesReach) {
  const Builder builder = net();
  const PolicyEvaluation evaluation(builder.evidence);
  const Advice softmax = evaluation.advice({candidate_at(evaluation, "softmax in head")});
  EXPECT_EQ(amp::to_text(policy_of(softmax)), "softmax fp32\n");
  EXPECT_DOUBLE_EQ(*softmax.impact_before - *softmax.impact_after, 0.5);
  EXPECT_EQ(softmax.cost_us, 10) << "10 µs a step more";
  const Advice backward_too = evaluation.advice({candidate_at(evaluation, "conv2d in conv1")});
  EXPECT_EQ(backward_too.cost_us, 20);
}

TEST(PolicyEvaluation, DoesNotAskForAnOrder) {
  const Builder builder = net();
  const PolicyEvaluation evaluation(builder.evidence);
  Places backwards = all_of(evaluation);
  std::ranges::reverse(backwards);
  EXPECT_EQ(policy_of(evaluation.advice(backwards)), policy_of(evaluation.advice(all_of(evaluation))));
}

TEST(PolicyEvaluation, NamesWhatNoLineCanReach) {
  const Builder builder = net();
  const PolicyEvaluation evaluation(builder.evidence);
  const Advice advice = evaluation.advice({candidate_at(evaluation, "add in head")});
  EXPECT_TRUE(advice.policy.empty());
  EXPECT_EQ(advice.impact_after, advice.impact_before);
  ASSERT_EQ(advice.notes.size(), 1u);
  EXPECT_NE(advice.notes[0].find("call add out of place"), std::string::npos);
}

TEST(PolicyEvaluation, KnowsTheUnitOfACallSite) {
  Builder builder = net();
  builder.evidence.ops.push_back(builder.evidence.ops.front());
  builder.evidence.ops.back().phase = Phase::Optimizer;
  const PolicyEvaluation evaluation(builder.evidence);
  const auto& ops = builder.evidence.ops;
  EXPECT_EQ(evaluation.candidate_of(ops[0]), candidate_at(evaluation, "conv2d in conv1"));
  EXPECT_EQ(evaluation.candidate_of(ops[1]), evaluation.candidate_of(ops[0])) << "its backward";
  EXPECT_EQ(evaluation.candidate_of(ops.back()), std::nullopt);
}

/// Returns the remaining impact after each function of `order` is added to the policy.
std::vector<double> impacts_on_the_way(const PolicyEvaluation& evaluation, const Places& order) {
  std::vector<double> impacts{*evaluation.advice({}).impact_after};
  Places chosen;
  for (const std::size_t place : order) {
    chosen.push_back(place);
    impacts.push_back(*evaluation.advice(chosen).impact_after);
  }
  return impacts;
}

TEST(PolicyEvaluation, LeavesNoMoreTheMoreIsChosen) {
  const Builder builder = net();
  const PolicyEvaluation evaluation(builder.evidence);
  Places order = all_of(evaluation);
  do {
    const auto impacts = impacts_on_the_way(evaluation, order);
    ASSERT_TRUE(std::ranges::is_sorted(impacts, std::ranges::greater()));
  } while (std::ranges::next_permutation(order).found);
}

TEST(PolicyEvaluation, SaysSoWhereWhatIsChosenCancelledTheRest) {
  Builder builder;
  builder.forward("a", "bmm", 1.0);
  builder.forward("b", "softmax.int", 1.0);
  builder.forward("c", "exp", -1.0);
  const PolicyEvaluation evaluation(builder.evidence);
  const auto impacts = impacts_on_the_way(evaluation, {candidate_at(evaluation, "exp in c")});
  EXPECT_DOUBLE_EQ(impacts[0] * impacts[0], 3.0) << "as if signs were independent";
  EXPECT_DOUBLE_EQ(impacts[1], 2.0);
}

}  // namespace policy_evaluation_test
}  // namespace ampprof::advice

// SPDX-License-Identifier: Apache-2.0
// Tests the errors of tensors that were rounded outside autograd's graph, after ops have read and written these
// tensors.
#include "profiler/stages/input_roundings.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/recorder/missing_notes.h"

namespace ampprof::profiler {
namespace input_roundings_test {

struct NoParameters : ParameterFacts {
  const c10::TensorImpl* weight = nullptr;

  std::string name_of(const at::Tensor& tensor) override {
    return tensor.unsafeGetTensorImpl() == weight ? "layer.weight" : "";
  }
  std::string owner_of_gradient(const at::Tensor&) override { return ""; }
  std::string name_of_accumulated() override { return ""; }
  at::Tensor master_of(const at::Tensor&) override { return {}; }
};

struct Steps : ImpactSink {
  StepAhead ahead{.step = {.loop = 0, .number = 1}, .has_impact = true};

  bool is_open() const override { return true; }
  std::optional<std::int64_t> sampled_segment() override { return 1; }
  StepAhead step_ahead() override { return ahead; }
  void add(const ImpactLedger::Error&, ImpactLedger::LateEffect, std::uint64_t) override {}
  void add_gap(const ImpactLedger::Error&, ImpactGap) override {}
};

class InputRoundingsTest : public testing::Test {
 protected:
  using Differences = std::vector<InputRoundings::Difference>;

  /// Runs an op as a call of `phase` at `call_site_`. `high` is the exact result if the op rounds. Returns the errors
  /// of those outputs to which gradients flow.
  Differences run(const char* name, const char* overload, torch::jit::Stack stack, Phase phase = Phase::Forward,
                  const at::Tensor& high = {}) {
    const c10::OperatorHandle op = c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
    Call call{{.op = op, .info = infos_.of(op), .stack = stack, .thread = ThreadState::current(), .phase = phase}};
    call.place.error_site = call_site_;
    call.saved = reference::save_call(op, stack, reference::CopyWritten::IfReduced);
    InputRoundings::Kept kept = roundings_.before(call);
    op.callBoxed(&stack);
    if (high.defined()) call.pairs.push_back({.output = call.results()[0].toTensor(), .low = {}, .high = high});
    result_ = stack.empty() ? at::Tensor() : stack.back().toTensor();
    return roundings_.after(call, std::move(kept));
  }

  /// Runs an op at a call site. `high` is the exact result; undefined if the op does not round.
  at::Tensor at_site(std::int64_t call_site, const char* name, const char* overload, torch::jit::Stack stack,
                     const at::Tensor& high = {}) {
    call_site_ = call_site;
    run(name, overload, std::move(stack), Phase::Forward, high);
    return result_;
  }

  /// Rounds `original` as the program does. Returns the program's tensor.
  at::Tensor rounded(const at::Tensor& original) {
    const at::Tensor half = original.to(at::kBFloat16);
    inputs_.put(half, {{.values = original}}, steps_.ahead.step);
    run("aten::_to_copy", "", {half, at::kFloat, {}, {}, {}, false, {}});
    return result_;
  }

  /// Returns the change of a layer's output on `input` due to all earlier roundings; undefined if there is none.
  at::Tensor error_of_layer_on(const at::Tensor& input) {
    const Differences all = differences_of_layer_on(input);
    return all.empty() ? at::Tensor() : of(all.at(0));
  }

  Differences differences_of_layer_on(const at::Tensor& input) { return run("aten::mul", "Tensor", {input, weight_}); }

  static at::Tensor of(const InputRoundings::Difference& difference) {
    return difference.pair.low.detach() - difference.pair.high.detach();
  }

  NoParameters parameters_;
  Steps steps_;
  const at::Tensor x_ = at::linspace(0.1, 1, 8);
  const at::Tensor weight_ = at::full({8}, 2.0F).requires_grad_();
  at::Tensor result_;
  std::int64_t call_site_ = 0;
  MissingNotes missing_;

 private:
  OpInfos infos_;
  RoundedInputs inputs_;
  const InputRoundings roundings_{at::kFloat, steps_, parameters_, inputs_, missing_};
};

TEST_F(InputRoundingsTest, ReachTheOutputOfALayer) {
  const at::Tensor input = rounded(x_);
  EXPECT_TRUE(error_of_layer_on(input).equal(2 * input - 2 * x_));
}

TEST_F(InputRoundingsTest, AreNotOfTheNextStepToo) {
  const at::Tensor input = rounded(x_);
  EXPECT_TRUE(error_of_layer_on(input).defined());
  ++steps_.ahead.step.number;
  EXPECT_FALSE(error_of_layer_on(input).defined()) << "it trains on these values";
}

TEST_F(InputRoundingsTest, FollowWhatIsWrittenInPlace) {
  const at::Tensor input = rounded(x_);
  run("aten::sub_", "Tensor", {input, at::full({8}, 0.5F), 1});
  EXPECT_TRUE(error_of_layer_on(input).equal(2 * input - 2 * (x_ - 0.5))) << "its old value was the original less that";
  run("aten::copy_", "", {input, x_, false});
  EXPECT_TRUE(error_of_layer_on(input).equal(at::zeros({8}))) << "no rounding is left";
}

TEST_F(InputRoundingsTest, EndWhereAnOptimizerWrites) {
  for (const bool returns_nothing : {false, true}) {
    const at::Tensor input = rounded(x_);
    if (returns_nothing) {
      run("aten::_foreach_add_", "Scalar", {c10::List<at::Tensor>({input}), 1.0}, Phase::Optimizer);
    } else {
      run("aten::add_", "Scalar", {input, 1.0, 1}, Phase::Optimizer);
    }
    EXPECT_FALSE(error_of_layer_on(input).defined()) << returns_nothing;
  }
}

TEST_F(InputRoundingsTest, AreNotThoseOfWeights) {
  const at::Tensor input = rounded(x_);
  parameters_.weight = input.unsafeGetTensorImpl();
  EXPECT_FALSE(error_of_layer_on(input).defined());
}

TEST_F(InputRoundingsTest, AViewIsNotRoundedAgain) {
  const at::Tensor input = rounded(x_);
  EXPECT_TRUE(error_of_layer_on(input).defined());
  ++steps_.ahead.step.number;
  run("aten::view", "", {input, std::vector<std::int64_t>{8}});
  EXPECT_FALSE(error_of_layer_on(result_).defined());
}

TEST_F(InputRoundingsTest, AreFollowedWhereGradientsAreOffBeforeAStepWithImpacts) {
  for (const bool has_impact : {true, false}) {
    steps_.ahead.has_impact = has_impact;
    run("aten::mul", "Scalar", {x_.to(at::kBFloat16), 1.5}, Phase::Inference, x_ * 1.5);
    EXPECT_EQ(error_of_layer_on(result_).defined(), has_impact);
  }
}

constexpr auto kBf16 = at::kBFloat16;

TEST_F(InputRoundingsTest, AreOfTheCallThatMadeThem) {
  const at::Tensor exact = x_ * 1.5;
  const at::Tensor made = at_site(3, "aten::mul", "Scalar", {x_.to(kBf16), 1.5}, x_.to(kBf16).to(at::kFloat) * 1.5);
  const at::Tensor wide = at_site(4, "aten::_to_copy", "", {made, at::kFloat, {}, {}, {}, false, {}});
  const Differences all = differences_of_layer_on(wide);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].made_by, 3);
  EXPECT_FALSE(all[0].is_decided);
  EXPECT_TRUE(of(all[0]).equal(2 * wide - 2 * (x_.to(kBf16).to(at::kFloat) * 1.5)));
}

TEST_F(InputRoundingsTest, OfSeveralCallsAddUpToAllThatWasRounded) {
  const at::Tensor first = at_site(3, "aten::_to_copy", "", {x_, kBf16, {}, {}, {}, false, {}}, x_);
  const at::Tensor second = at_site(4, "aten::mul", "Scalar", {first, 0.3}, first.to(at::kFloat) * 0.3);
  const at::Tensor wide = at_site(5, "aten::_to_copy", "", {second, at::kFloat, {}, {}, {}, false, {}});
  const Differences all = differences_of_layer_on(wide);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].made_by, 3);
  EXPECT_TRUE(of(all[0]).allclose(2 * (first.to(at::kFloat) * 0.3 - x_ * 0.3), 1e-6, 1e-7));
  EXPECT_EQ(all[1].made_by, 4);
  EXPECT_TRUE(of(all[1]).allclose(2 * (wide - first.to(at::kFloat) * 0.3), 1e-6, 1e-7));
  EXPECT_TRUE((of(all[0]) + of(all[1])).allclose(2 * (wide - x_ * 0.3), 1e-6, 1e-7));
}

// In a running sum, all iterations of the loop round at the same call sites.
TEST_F(InputRoundingsTest, OfARepeatedCallAreMerged) {
  const at::Tensor sum = at::zeros({8}, kBf16);
  at::Tensor exact = at::zeros({8}), of_first = at::zeros({8}), of_second = at::zeros({8});
  for (int turn = 0; turn < 3; ++turn) {
    const at::Tensor before = sum.to(at::kFloat);
    at_site(3, "aten::mul_", "Scalar", {sum, 0.9}, before * 0.9);
    const at::Tensor scaled = sum.to(at::kFloat);
    of_first = of_first * 0.9 + (scaled - before * 0.9);
    at_site(4, "aten::add_", "Tensor", {sum, x_, 1}, scaled + x_);
    of_second = of_second * 0.9 + (sum.to(at::kFloat) - (scaled + x_));
    exact = exact * 0.9 + x_;
  }
  const Differences all =
      differences_of_layer_on(at_site(5, "aten::_to_copy", "", {sum, at::kFloat, {}, {}, {}, false, {}}));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].made_by, 3);
  EXPECT_EQ(all[1].made_by, 4);
  EXPECT_TRUE(of(all[0]).allclose(2 * of_first, 1e-4, 1e-6));
  EXPECT_TRUE(of(all[1]).allclose(2 * of_second, 1e-4, 1e-6));
  EXPECT_TRUE((of(all[0]) + of(all[1])).allclose(2 * (sum.to(at::kFloat) - exact), 1e-4, 1e-6));
}

TEST_F(InputRoundingsTest, FollowAnIndexToWhatItSelects) {
  const at::Tensor table = at::arange(2048, at::kFloat).requires_grad_();
  const at::Tensor places = at::arange(1000, 1008, at::kFloat);
  const at::Tensor half = at_site(3, "aten::_to_copy", "", {places, kBf16, {}, {}, {}, false, {}}, places);
  const at::Tensor index = at_site(4, "aten::_to_copy", "", {half, at::kLong, {}, {}, {}, false, {}});
  call_site_ = 5;
  const Differences all = run("aten::index_select", "", {table, 0, index});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].made_by, 3);
  EXPECT_TRUE(all[0].is_decided);
  EXPECT_TRUE(of(all[0]).equal(half.to(at::kFloat) - places));
}

TEST_F(InputRoundingsTest, EndWhereAnotherIndexLiesOutsideOfTheTable) {
  const at::Tensor table = at::arange(1005, at::kFloat).requires_grad_();
  const at::Tensor places = at::full({1}, 1005.0);  // rounds to 1004 in BF16
  const at::Tensor half = at_site(3, "aten::_to_copy", "", {places, kBf16, {}, {}, {}, false, {}}, places);
  const at::Tensor index = at_site(4, "aten::_to_copy", "", {half, at::kLong, {}, {}, {}, false, {}});
  EXPECT_TRUE(run("aten::index_select", "", {table, 0, index}).empty());
}

// In BF16, 0.3 is 0.30078125. The value 0.30078125 is larger than 0.3, but not larger than the rounded 0.3.
TEST_F(InputRoundingsTest, AMaskMayBeOfTheComparisonItself) {
  const at::Tensor values = at::full({1}, 0.30078125).to(kBf16);
  const at::Tensor mask = at_site(3, "aten::gt", "Scalar", {values, 0.3});
  ASSERT_FALSE(mask.item<bool>());
  call_site_ = 4;
  const Differences all = run("aten::mul", "Tensor", {at::full({1}, 2.0).requires_grad_(), mask});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].made_by, 3);
  EXPECT_TRUE(all[0].is_decided);
  EXPECT_EQ(of(all[0]).item<float>(), -2.0F);
}

TEST_F(InputRoundingsTest, OfEqualDecisionsAreNone) {
  const at::Tensor half = at_site(3, "aten::_to_copy", "", {x_, kBf16, {}, {}, {}, false, {}}, x_);
  const at::Tensor mask = at_site(4, "aten::gt", "Scalar", {half, 0.05});
  EXPECT_TRUE(run("aten::mul", "Tensor", {at::full({8}, 2.0).requires_grad_(), mask}).empty());
}

TEST_F(InputRoundingsTest, OfTooManyCallsCountTheFirstAsInput) {
  const auto calls = static_cast<std::int64_t>(InputRoundings::kMostCallSites) + 3;
  at::Tensor value = x_.to(kBf16), exact = value.to(at::kFloat);
  for (std::int64_t site = 1; site <= calls; ++site) {
    const at::Tensor high = value.to(at::kFloat) * 1.1;
    value = at_site(site, "aten::mul", "Scalar", {value, 1.1}, high);
    exact = exact * 1.1;
  }
  const at::Tensor wide = at_site(calls + 1, "aten::_to_copy", "", {value, at::kFloat, {}, {}, {}, false, {}});
  const Differences all = differences_of_layer_on(wide);
  ASSERT_EQ(all.size(), InputRoundings::kMostCallSites);
  EXPECT_EQ(all.front().made_by, 0);
  EXPECT_EQ(all.back().made_by, calls);
  at::Tensor sum = at::zeros({8});
  for (const InputRoundings::Difference& each : all) sum = sum + of(each);
  EXPECT_TRUE(sum.allclose(2 * (wide - exact), 1e-4, 1e-5));
  EXPECT_EQ(missing_.take().size(), 1u);
}

}  // namespace input_roundings_test
}  // namespace ampprof::profiler

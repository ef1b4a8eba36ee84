// SPDX-License-Identifier: Apache-2.0
// What is known of a tensor that was rounded where no gradient leads, once ops have read and written it.
#include "profiler/stages/input_roundings.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "precision/tensors/observer_disabled_guard.h"

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
  /// Runs an op as a call of `phase`, whose result may have been rounded. Returns the outputs that gradients come for.
  std::vector<OutputPair> run(const char* name, const char* overload, torch::jit::Stack stack,
                              Phase phase = Phase::Forward, const at::Tensor& high = {}) {
    const c10::OperatorHandle op = c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
    Call call{{.op = op, .info = infos_.of(op), .stack = stack, .thread = ThreadState::current(), .phase = phase}};
    const InputRoundings::Kept kept = roundings_.before(call);
    op.callBoxed(&stack);
    if (high.defined()) call.pairs.push_back({.output = call.results()[0].toTensor(), .low = {}, .high = high});
    result_ = stack.empty() ? at::Tensor() : stack.back().toTensor();
    return roundings_.after(call, kept);
  }

  /// The program rounds `original`; returns what it goes on with.
  at::Tensor rounded(const at::Tensor& original) {
    const at::Tensor half = original.to(at::kBFloat16);
    inputs_.put(half, original, steps_.ahead.step);
    run("aten::_to_copy", "", {half, at::kFloat, {}, {}, {}, false, {}});
    return result_;
  }

  /// Returns what a layer makes of `input` less what it would make had nothing been rounded; undefined where that is
  /// not known to differ.
  at::Tensor error_of_layer_on(const at::Tensor& input) {
    const std::vector<OutputPair> pairs = run("aten::mul", "Tensor", {input, weight_});
    return pairs.empty() ? at::Tensor() : pairs.at(0).low.detach() - pairs.at(0).high.detach();
  }

  NoParameters parameters_;
  Steps steps_;
  const at::Tensor x_ = at::linspace(0.1, 1, 8);
  const at::Tensor weight_ = at::full({8}, 2.0F).requires_grad_();
  at::Tensor result_;

 private:
  OpInfos infos_;
  RoundedInputs inputs_;
  const InputRoundings roundings_{at::kFloat, steps_, parameters_, inputs_};
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

TEST_F(InputRoundingsTest, AViewIsNotRoundedAnew) {
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

}  // namespace input_roundings_test
}  // namespace ampprof::profiler

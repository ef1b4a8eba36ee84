// SPDX-License-Identifier: Apache-2.0
// Compares the impacts of planted errors with their effect on whole steps.
#include "profiler/gradient_impact/gradient_replay.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "profiler/torch_hooks/torch_state.h"
#include "tests/profiler/recipe_backward.h"
#include "tests/profiler/taped_program.h"

namespace ampprof::profiler {
namespace taped_step_test {

using namespace taped_program;
using torch::optim::Adam;
using torch::optim::AdamOptions;

// Steps with planted errors -------------------------------------------------------------------------------------------

constexpr double kScale = 8.0;

using Update = std::function<void(const std::vector<Tensor>& weights, double rate)>;

void adam(const std::vector<Tensor>& weights, double rate) { Adam(weights, AdamOptions(rate).eps(1e-3)).step(); }

/// Updates lists of tensors in one kernel, like a fused optimizer.
void fused_adam(const std::vector<Tensor>& weights, double rate) {
  std::vector<Tensor> gradients, means, squares, steps;
  for (const Tensor& weight : weights) {
    gradients.push_back(weight.grad());
    means.push_back(at::zeros_like(weight));
    squares.push_back(at::zeros_like(weight));
    steps.push_back(at::ones({}));
  }
  const at::NoGradGuard no_grad;
  at::_fused_adam_(weights, gradients, means, squares, {}, steps, rate, 0.9, 0.999, 0.0, 1e-3, false, false);
}

/// Runs a training step with a scaled loss. `backward` sees the op calls of the backward pass, `forward` those of the
/// forward pass. Returns the loss after the step.
double train(Model& model, LookAtBackward backward, GradientReplay* step, double rate, LeafObserver* forward = nullptr,
             const Update& update = adam, const std::vector<Tensor>& of_other_rank = {}) {
  const auto recorder = [&] { return step == nullptr ? nullptr : step->tape_recorder(); };
  Tensor scaled;
  {
    const Watching watching(recorder(), {}, forward);
    scaled = model.loss() * kScale;
  }
  if (step != nullptr) step->backward_begun(roots_at(scaled), kScale);
  {
    const Watching watching(nullptr, std::move(backward));
    scaled.backward();
  }
  const std::vector<Tensor> weights = model.module->parameters();
  for (std::size_t i = 0; i < of_other_rank.size(); ++i) weights[i].mutable_grad().add_(of_other_rank[i]);
  if (step != nullptr && !of_other_rank.empty()) step->backward_collective();
  if (step != nullptr) step->backward_ended();
  {
    const Watching watching(recorder());
    for (const Tensor& parameter : model.module->parameters()) parameter.mutable_grad().div_(kScale);
    update(model.module->parameters(), rate);
  }
  const at::NoGradGuard no_grad;
  return model.loss().item<double>();
}

/// Returns the error planted in one output. It is representable in BF16, equal in each run, and so large that Adam's
/// update is not linear between the gradients with and without it.
Tensor planted(const Tensor& output, int number) {
  at::manual_seed(100 + number);
  return (at::randn_like(output) * 1e-4).to(at::kBFloat16).to(at::kDouble);
}

/// Returns gradients such as those of another batch.
Tensor noise(const Tensor& weight) { return at::randn_like(weight).mul_(0.03).detach(); }

bool is_planted(const std::string& name) {
  return name == "aten::mm" || name == "aten::convolution_backward" || name == "aten::native_layer_norm_backward" ||
         name == "aten::tanh_backward" || name == "aten::native_batch_norm_backward" ||
         name == "aten::threshold_backward";
}

StepGradients finished(GradientReplay& step) {
  StepGradients found;
  step.finish([&](const StepGradients& all) { found = all; });
  return found;
}

class StepOfModel : public testing::TestWithParam<ModelCase> {
 protected:
  static bool has_custom_function() { return GetParam().make == custom_function; }
};

TEST_P(StepOfModel, KnowsWhatPlantedErrorsDoToItsDecrease) {
  std::map<std::int64_t, std::string> names;
  double clean = 0.0, wrong = 0.0;
  StepGradients found;
  for (const bool plants : {false, true}) {
    Model model = made(GetParam());
    int number = 0;
    const auto step =
        plants ? std::make_shared<GradientReplay>(
                     7,
                     TapeOptions{
                         .precision = at::kDouble, .error_bytes = 1 << 20, .through_functions = has_custom_function()},
                     KnownParameters{{}, [](const Tensor&) { return std::string("w"); }})
               : nullptr;
    const auto backward = [&](const c10::OperatorHandle& op, const std::vector<c10::IValue>& arguments,
                              const std::vector<c10::IValue>& results) {
      if (!plants || !is_planted(op.operator_name().name)) return;
      for (const c10::IValue& result : results) {
        if (!result.isTensor() || !result.toTensor().defined()) continue;
        const Tensor output = result.toTensor(), error = planted(output, ++number);
        names[number] = op.operator_name().name;
        output.add_(error);
        step->backward_call(current_node(), {number}, output, error.to(at::kBFloat16), arguments);
      }
    };
    (plants ? wrong : clean) = train(model, backward, step.get(), 1e-5);
    if (!plants) continue;
    EXPECT_TRUE(step->is_updated());
    found = finished(*step);
    EXPECT_GT(number, 1);
  }
  ASSERT_EQ(found.why_not, "");
  EXPECT_NEAR(found.decrease->after, wrong, 1e-9);
  double sum = 0.0, forward = NAN;
  for (const GradientImpact& impact : found.impacts) {
    EXPECT_EQ(impact.is_ranking_only, has_custom_function());
    if (impact.source == GradientImpactSource::ForwardErrors) {
      forward = *impact.impact;
    } else {
      EXPECT_TRUE(impact.impact) << names[impact.call_site] << ": " << reason_of(impact.gap);
      sum += impact.impact.value_or(NAN);
    }
  }
  const double truth = clean - wrong;  // change of the loss decrease due to the errors
  EXPECT_NEAR(sum, truth, 0.02 * std::abs(truth));
  EXPECT_NEAR(forward, 0.0, 0.02 * std::abs(truth)) << "nothing was planted in the forward pass";
}

/// Returns the loss after a step. Computes dgrad and wgrad in FP8, or with `step` only records them on tapes.
double trained_in_fp8(Model& model, GradientReplay* step, double rate, const Update& update,
                      const std::vector<Tensor>& of_other_rank) {
  RecipeBackward recipe("fp8_current");
  const auto backward = [&](const c10::OperatorHandle& op, const std::vector<c10::IValue>& arguments,
                            const std::vector<c10::IValue>& results) { recipe.round(op, arguments, results, step); };
  return train(model, backward, step, rate, &recipe, update, of_other_rank);
}

/// Compares the predicted change of the loss decrease with the change that FP8 causes. Each product rounds gradients
/// that earlier products have changed. The update is not linear between the exact gradients and those in FP8.
void expect_what_a_recipe_does(const ModelCase& which, const Update& update,
                               const std::vector<Tensor>& of_other_rank = {}) {
  constexpr double kRate = 3e-4;  // attention's deviation from linear is 3 % at 1e-3, 0.3 % at 1e-4
  Model model = made(which), same = made(which), told = made(which);
  const double exact = train(model, {}, nullptr, kRate, nullptr, update, of_other_rank);
  const double truth = exact - trained_in_fp8(same, nullptr, kRate, update, of_other_rank);
  const auto step = std::make_shared<GradientReplay>(
      7, TapeOptions{.precision = at::kDouble, .error_bytes = 1 << 20, .is_what_if = true},
      KnownParameters{{}, [](const Tensor&) { return std::string("w"); }});
  EXPECT_EQ(trained_in_fp8(told, step.get(), kRate, update, of_other_rank), exact) << "the run is as it was";
  const StepGradients found = finished(*step);
  ASSERT_EQ(found.why_not, "");
  ASSERT_EQ(found.impacts.size(), 1u) << "of one call site";
  ASSERT_TRUE(found.impacts[0].impact);
  EXPECT_NEAR(*found.impacts[0].impact, truth, 0.01 * std::abs(truth));
  EXPECT_GT(*found.impacts[0].square, 0.0);
}

TEST_P(StepOfModel, KnowsWhatARecipesBackwardWouldDoToIt) {
  if (has_custom_function()) GTEST_SKIP() << "its backward is not the derivative of its ops";
  expect_what_a_recipe_does(GetParam(), adam);
  expect_what_a_recipe_does(GetParam(), fused_adam);
}

TEST_P(StepOfModel, KnowsWhatARecipesBackwardWouldDoToASumOverRanks) {
  if (has_custom_function()) GTEST_SKIP() << "its backward is not the derivative of its ops";
  std::vector<Tensor> of_other_rank;
  for (const Tensor& weight : made(GetParam()).module->parameters()) of_other_rank.push_back(noise(weight));
  expect_what_a_recipe_does(GetParam(), adam, of_other_rank);
}

TEST(GradientReplay, LosesTheGraphAtACustomFunction) {
  Model model = made({"custom function", custom_function});
  const auto step = std::make_shared<GradientReplay>(7, TapeOptions{.precision = at::kDouble, .error_bytes = 1 << 20},
                                                     KnownParameters{});
  const auto backward = [&](const c10::OperatorHandle&, const std::vector<c10::IValue>& arguments,
                            const std::vector<c10::IValue>& results) {
    step->backward_call(current_node(), {1}, results.at(0).toTensor(), {}, arguments);
  };
  train(model, backward, step.get(), 1e-5);
  StepGradients found;
  EXPECT_TRUE(step->finish([&](const StepGradients& all) { found = all; }).lost_a_graph);
  EXPECT_EQ(found.why_not, "a tensor that requires a gradient was not computed in this step");
  EXPECT_TRUE(found.impacts.empty());
}

TEST(GradientReplay, TellsGradientErrorsByTheShadowWhereItCannotBeRunAgain) {
  Model model = made({"custom function", custom_function});
  const Tensor run = at::full({4}, 3.0 * kScale, at::kHalf), exact = at::full({4}, 2.0 * kScale);
  const KnownParameters parameters{.pairs_with_exact = [&] { return std::vector{GradientPair{"w", run, exact}}; }};
  const NamedGradients before{{"w", at::full({4}, 1.0, at::kBFloat16)}};
  const auto step = std::make_shared<GradientReplay>(7, TapeOptions{.precision = at::kDouble, .error_bytes = 1 << 20},
                                                     parameters, before);
  train(model, {}, step.get(), 1e-5);
  StepGradients found;
  const FinishedStep finished = step->finish([&](const StepGradients& all) { found = all; });
  ASSERT_EQ(found.errors.size(), 1U);
  const GradientError& error = found.errors[0];
  EXPECT_EQ(error.sum_sq_error, 4.0);
  EXPECT_EQ(error.sum_sq_reference, 16.0);
  EXPECT_EQ(error.product, 24.0);
  EXPECT_EQ(error.sum_sq_change, 4.0);
  EXPECT_TRUE(at::equal(finished.exact.at("w"), at::full({4}, 2.0, at::kBFloat16)));
}

TEST(GradientReplay, TakesGradientsFromTheShadowWhereItHasThemAll) {
  Model model = made({"perceptron", perceptron});
  const std::size_t all = model.module->parameters().size();
  for (const std::size_t known : {all, all - 1}) {
    model.module->zero_grad();
    std::size_t asked = 0;
    const KnownParameters parameters{
        .name_of = [](const Tensor&) { return std::string("w"); },
        .in_exact = [&](const Tensor& gradient) { return asked++ < known ? at::mul(gradient, 2.0) : Tensor(); }};
    const auto step =
        std::make_shared<GradientReplay>(7, TapeOptions{.precision = at::kDouble, .error_bytes = 1 << 20}, parameters);
    const auto backward = [&](const c10::OperatorHandle&, const std::vector<c10::IValue>& arguments,
                              const std::vector<c10::IValue>& results) {
      if (results.at(0).isTensor())
        step->backward_call(current_node(), {.call_site = 1}, results[0].toTensor(), {}, arguments);
    };
    train(model, backward, step.get(), 1e-5);
    const StepGradients found = finished(*step);
    ASSERT_EQ(found.errors.size(), all) << found.why_not;
    for (const GradientError& error : found.errors) {
      const double expected = known == all ? error.sum_sq_reference / 4.0 : 0.0;
      EXPECT_NEAR(error.sum_sq_error, expected, 1e-9 * error.sum_sq_reference);
    }
    ASSERT_TRUE(found.decrease);
    EXPECT_GT(found.decrease->decrease(), 0.0);
  }
}

INSTANTIATE_TEST_SUITE_P(GradientReplay, StepOfModel,
                         testing::Values(kModels[0], kModels[1], kModels[2], kModels[3],
                                         ModelCase{"custom_function", custom_function}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace taped_step_test
}  // namespace ampprof::profiler

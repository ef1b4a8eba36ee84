// SPDX-License-Identifier: Apache-2.0
// Compares training with parameter groups added after initialize() with plain FP32 training. Numbers are exact, as in
// many_models_test.
#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/optim.h>
#include <torch/types.h>

#include <array>
#include <sstream>

#include "amp_core/amp.h"

namespace amp {
namespace add_param_group_test {

struct ModelImpl : torch::nn::Module {
  ModelImpl(int number, at::ScalarType low)
      : weight0(register_parameter("weight0", number + torch::arange(2, torch::kFloat))),
        weight1(register_parameter("weight1", (1 + number + torch::arange(2, torch::kFloat)).to(low))) {}

  at::Tensor forward(const at::Tensor& x) { return (x * weight0 * weight1.to(torch::kFloat)).sum(); }

  at::Tensor weight0;
  at::Tensor weight1;
};
TORCH_MODULE(Model);

enum class Zeroing { None, ByModel, ByOptimizer };

struct Case {
  const char* level;
  bool zeroes_before_adding;
  bool accumulates;
  Zeroing zeroing;
};

void PrintTo(const Case& c, std::ostream* out) {
  constexpr std::array<const char*, 3> kZeroings{"none", "model", "optimizer"};
  *out << c.level << (c.zeroes_before_adding ? "_zero_before_adding" : "_zero_after_adding")
       << (c.accumulates ? "_accumulate_" : "_") << kZeroings.at(static_cast<std::size_t>(c.zeroing));
}

struct Training {
  explicit Training(at::ScalarType low)
      : models{Model(1, low), Model(2, low)},
        optimizer(models[0]->parameters(), torch::optim::SGDOptions(0.25).momentum(0.5)) {}

  void zero_grad(Zeroing how) {
    for (auto& model : models) {
      if (how == Zeroing::None) model->zero_grad(/*set_to_none=*/true);
      if (how == Zeroing::ByModel) model->zero_grad(/*set_to_none=*/false);
    }
    if (how == Zeroing::ByOptimizer) optimizer.zero_grad(/*set_to_none=*/false);
  }

  void add_second_model() {
    optimizer.add_param_group({models[1]->parameters(), std::make_unique<torch::optim::SGDOptions>(
                                                            torch::optim::SGDOptions(0.5).momentum(0.25))});
  }

  at::Tensor loss(bool with_second) {
    const at::Tensor x = torch::ones({2});
    const at::Tensor first = forward(models[0], x);
    return with_second ? first + forward(models[1], x) : first;
  }

  std::vector<Model> models;
  torch::optim::SGD optimizer;
};

class AddParamGroup : public testing::TestWithParam<Case> {
 protected:
  void TearDown() override { shutdown(); }

  /// Runs one iteration with the first model, then two with both models. `backward(loss, delays)` runs a pass, `step()`
  /// the optimizer.
  template <class Backward, class Step>
  static void train(Training& training, Backward&& backward, Step&& step) {
    for (int iteration = 0; iteration < 3; ++iteration) {
      const bool adds = iteration == 1;
      if (adds && !GetParam().zeroes_before_adding) training.add_second_model();
      training.zero_grad(GetParam().zeroing);
      if (adds && GetParam().zeroes_before_adding) training.add_second_model();
      if (GetParam().accumulates) backward(training.loss(iteration > 0), true);
      backward(training.loss(iteration > 0), false);
      step();
    }
  }
};

TEST_P(AddParamGroup, TrainsAsPlainFp32) {
  Training reference(torch::kFloat);
  train(
      reference, [](const at::Tensor& loss, bool) { loss.backward(); }, [&] { reference.optimizer.step(); });

  Training training(torch::kHalf);
  initialize({training.models[0], training.models[1]}, training.optimizer,
             {.opt_level = GetParam().level,
              .cast_model_type = ModelType::Unchanged,
              .loss_scale = "dynamic",
              .verbosity = 0,
              .init_scale = 4.0});
  const auto backward = [&](const at::Tensor& loss, bool delay) {
    scale_loss(loss, training.optimizer, [](const at::Tensor& scaled) { scaled.backward(); }, {.delay_unscale = delay});
  };
  train(training, backward, [&] { EXPECT_TRUE(step(training.optimizer)); });

  for (int m = 0; m < 2; ++m) {
    const auto ours = training.models[m]->parameters();
    const auto expected = reference.models[m]->parameters();
    for (std::size_t i = 0; i < ours.size(); ++i) {
      EXPECT_TRUE(at::equal(ours[i].to(torch::kFloat), expected[i])) << "model " << m << ", parameter " << i << '\n'
                                                                     << ours[i] << expected[i];
    }
  }
  const bool has_masters = std::string(GetParam().level) == "O2";
  for (const auto& parameter : master_params(training.optimizer)) {
    if (has_masters) {
      EXPECT_EQ(parameter.scalar_type(), torch::kFloat);
    }
  }
  EXPECT_EQ(loss_scale(), 4.0);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    for (const bool before : {false, true}) {
      for (const bool accumulates : {false, true}) {
        for (const Zeroing zeroing : {Zeroing::None, Zeroing::ByModel, Zeroing::ByOptimizer}) {
          cases.push_back({level, before, accumulates, zeroing});
        }
      }
    }
  }
  return cases;
}

TEST(AddParamGroupCases, AreAsManyAsApexHas) { EXPECT_EQ(all_cases().size(), 48U); }

INSTANTIATE_TEST_SUITE_P(Engine, AddParamGroup, testing::ValuesIn(all_cases()), [](const auto& info) {
  std::ostringstream name;
  PrintTo(info.param, &name);
  return name.str();
});

}  // namespace add_param_group_test
}  // namespace amp

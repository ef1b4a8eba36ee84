// SPDX-License-Identifier: Apache-2.0
// Compares two and three models with two losses and one or two optimizers, at every level, with plain FP32 training
// that leaves out skipped steps. All numbers are small multiples of powers of two, and scales are powers of two, so
// FP16, FP32 and the reference agree to the last bit.
#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/optim.h>
#include <torch/types.h>

#include <array>
#include <cmath>
#include <sstream>

#include "amp_core/amp.h"
#include "amp_core/engine/open_checks.h"
#include "amp_core/optimizers.h"

namespace amp {
namespace many_models_test {

/// Has one FP32 and one FP16 parameter at every level. Both are FP32 in the reference.
struct ModelImpl : torch::nn::Module {
  ModelImpl(int number, at::ScalarType low)
      : weight0(register_parameter("weight0", number + torch::arange(2, torch::kFloat))),
        weight1(register_parameter("weight1", (1 + number + torch::arange(2, torch::kFloat)).to(low))) {}

  at::Tensor forward(const at::Tensor& x) { return (x * weight0 * weight1.to(torch::kFloat)).sum(); }

  at::Tensor weight0;
  at::Tensor weight1;
};
TORCH_MODULE(Model);

struct Group {
  std::vector<at::Tensor> parameters;
  double rate;
  double momentum;
};

/// An optimizer under test.
struct OptimizerKind {
  const char* name;
  std::unique_ptr<torch::optim::Optimizer> (*make)(const std::vector<Group>&);
  bool leaves_checks_open = false;  ///< overflow checks are read later than step(), as on CUDA
};

std::unique_ptr<torch::optim::Optimizer> make_sgd(const std::vector<Group>& groups) {
  std::vector<torch::optim::OptimizerParamGroup> made;
  for (const auto& [parameters, rate, momentum] : groups) {
    made.emplace_back(parameters,
                      std::make_unique<torch::optim::SGDOptions>(torch::optim::SGDOptions(rate).momentum(momentum)));
  }
  return std::make_unique<torch::optim::SGD>(made, torch::optim::SGDOptions(1.0));
}

std::unique_ptr<torch::optim::Optimizer> make_fused_sgd(const std::vector<Group>& groups) {
  std::vector<torch::optim::OptimizerParamGroup> made;
  for (const auto& [parameters, rate, momentum] : groups) {
    made.emplace_back(parameters, std::make_unique<FusedSGDOptions>(FusedSGDOptions(rate).momentum(momentum)));
  }
  return std::make_unique<FusedSGD>(made, FusedSGDOptions(1.0));
}

const std::array kOptimizers{OptimizerKind{"sgd", make_sgd}, OptimizerKind{"fused_sgd", make_fused_sgd},
                             OptimizerKind{"fused_sgd_with_open_checks", make_fused_sgd, true}};

/// Two or three models, two losses, and the optimizers that each loss steps. A third model is in both losses.
struct Shape {
  const char* name;
  int models;
  std::vector<std::vector<int>> models_of_optimizer;
  std::vector<std::vector<int>> optimizers_of_loss;
};

const std::array kShapes{
    Shape{"2_models_1_optimizer", 2, {{0, 1}}, {{0}, {0}}},
    Shape{"3_models_1_optimizer", 3, {{0, 1, 2}}, {{0}, {0}}},
    Shape{"2_models_2_optimizers", 2, {{0}, {1}}, {{0}, {1}}},
    Shape{"3_models_2_optimizers", 3, {{0, 1}, {2}}, {{0, 1}, {0, 1}}},
};

enum class Zeroing { None, ByModel, ByOptimizer };

struct Overflow {
  int iteration;
  int loss;
  int model;
  bool in_half;  ///< the gradient of weight1 overflows; otherwise that of weight0
};

struct Case {
  const OptimizerKind* optimizer;
  const Shape* shape;
  const char* level;
  Zeroing zeroing;
  bool has_own_scalers;  ///< scales 4 and 16, one for each loss; otherwise 4 for both
  std::optional<Overflow> overflow;
};

void PrintTo(const Case& c, std::ostream* out) {
  constexpr std::array<const char*, 3> kZeroings{"none", "model", "optimizer"};
  *out << c.optimizer->name << '_' << c.shape->name << '_' << c.level << "_zero_"
       << kZeroings.at(static_cast<std::size_t>(c.zeroing)) << (c.has_own_scalers ? "_own_scalers" : "_shared_scaler");
  if (!c.overflow) return;
  *out << "_overflow_" << c.overflow->iteration << "_in_loss_" << c.overflow->loss << "_model_" << c.overflow->model
       << (c.overflow->in_half ? "_half" : "_float");
}

constexpr int kIterations = 3;

struct Training {
  /// Makes the models of a training. The reference (`low` is FP32) has FP32 models and LibTorch's own optimizer.
  Training(const Case& c, at::ScalarType low) : shape(*c.shape) {
    const auto make = low == torch::kFloat ? make_sgd : c.optimizer->make;
    for (int i = 0; i < shape.models; ++i) models.emplace_back(i + 1, low);
    constexpr std::array kRates{0.25, 0.5, 0.125};
    for (const auto& members : shape.models_of_optimizer) {
      std::vector<Group> groups;
      for (const int i : members) groups.push_back({models[i]->parameters(), kRates.at(i), 0.5});
      optimizers.push_back(make(groups));
    }
  }

  at::Tensor loss(int which) {
    const at::Tensor x = torch::ones({2});
    at::Tensor loss = forward(models[which], x);
    if (shape.models == 3) loss = loss + forward(models[2], x);
    return loss;
  }

  void zero_grad(Zeroing how) {
    for (auto& model : models) {
      if (how == Zeroing::None) model->zero_grad(/*set_to_none=*/true);
      if (how == Zeroing::ByModel) model->zero_grad(/*set_to_none=*/false);
    }
    if (how != Zeroing::ByOptimizer) return;
    for (auto& optimizer : optimizers) optimizer->zero_grad(/*set_to_none=*/false);
  }

  Optimizers of_loss(int which) {
    std::vector<Optimizers::Ref> refs;
    for (const int i : shape.optimizers_of_loss[which]) refs.emplace_back(*optimizers[i]);
    return Optimizers(std::move(refs));
  }

  Optimizers all() {
    std::vector<Optimizers::Ref> refs;
    for (auto& optimizer : optimizers) refs.emplace_back(*optimizer);
    return Optimizers(std::move(refs));
  }

  const Shape& shape;
  std::vector<Model> models;
  std::vector<std::unique_ptr<torch::optim::Optimizer>> optimizers;
};

class ManyModels : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override { leave_checks_open_on_cpu(GetParam().optimizer->leaves_checks_open); }
  void TearDown() override {
    shutdown();
    leave_checks_open_on_cpu(false);
  }

  /// Returns whether the overflow of this iteration's loss skips an optimizer's step.
  static bool is_skipped(int iteration, int optimizer) {
    const auto& overflow = GetParam().overflow;
    if (!overflow || overflow->iteration != iteration) return false;
    const auto& hit = GetParam().shape->optimizers_of_loss[overflow->loss];
    return std::find(hit.begin(), hit.end(), optimizer) != hit.end();
  }

  static void set_up_amp(Training& training) {
    const bool own = GetParam().has_own_scalers;
    Options options{.opt_level = GetParam().level, .cast_model_type = ModelType::Unchanged, .loss_scale = "dynamic"};
    options.num_losses = own ? 2 : 1;
    options.verbosity = 0;
    options.init_scale = 4.0;
    std::vector<ModelRef> models;
    for (auto& model : training.models) models.emplace_back(model);
    initialize(Models(models), training.all(), options);
    if (!own) return;
    import_apex_state({{"loss_scaler0", {{"loss_scale", 4}, {"unskipped", 0}}},
                       {"loss_scaler1", {{"loss_scale", 16}, {"unskipped", 0}}}});
  }

  static void backward(Training& training, int iteration, int loss) {
    const auto& overflow = GetParam().overflow;
    const auto run = [&](const at::Tensor& scaled) {
      scaled.backward();
      if (!overflow || overflow->iteration != iteration || overflow->loss != loss) return;
      Model& model = training.models[overflow->model];
      (overflow->in_half ? model->weight1 : model->weight0).mutable_grad()[0] = INFINITY;
    };
    scale_loss(training.loss(loss), training.of_loss(loss), run, {.loss_id = GetParam().has_own_scalers ? loss : 0});
  }

  /// Compares the gradients that the optimizers are about to use. An undefined gradient counts as zero.
  static void compare_gradients(const Training& training, const Training& reference, int iteration) {
    for (std::size_t o = 0; o < training.optimizers.size(); ++o) {
      if (is_skipped(iteration, static_cast<int>(o))) continue;
      const auto ours = master_params(*training.optimizers[o]);
      const auto expected = master_params(*reference.optimizers[o]);
      for (std::size_t i = 0; i < ours.size(); ++i) {
        ASSERT_TRUE(ours[i].grad().defined());
        EXPECT_TRUE(at::equal(ours[i].grad().to(torch::kFloat), expected[i].grad()))
            << "iteration " << iteration << ", optimizer " << o << ", parameter " << i << '\n'
            << ours[i].grad() << expected[i].grad();
      }
    }
  }

  static void iterate(Training& training, Training& reference, int iteration) {
    for (Training* each : {&training, &reference}) each->zero_grad(GetParam().zeroing);
    for (int loss = 0; loss < 2; ++loss) {
      backward(training, iteration, loss);
      reference.loss(loss).backward();
    }
    compare_gradients(training, reference, iteration);
    for (std::size_t o = 0; o < training.optimizers.size(); ++o) {
      const bool skipped = is_skipped(iteration, static_cast<int>(o));
      const bool stepped = step(*training.optimizers[o]);
      if (!GetParam().optimizer->leaves_checks_open) {
        EXPECT_EQ(stepped, !skipped) << "iteration " << iteration << ", optimizer " << o;
      }
      if (!skipped) reference.optimizers[o]->step();
    }
  }
};

void expect_equal(const Training& training, const Training& reference) {
  for (std::size_t m = 0; m < training.models.size(); ++m) {
    const auto ours = training.models[m]->parameters();
    const auto expected = reference.models[m]->parameters();
    for (std::size_t i = 0; i < ours.size(); ++i) {
      EXPECT_TRUE(at::equal(ours[i].to(torch::kFloat), expected[i])) << "model " << m << ", parameter " << i << '\n'
                                                                     << ours[i] << expected[i];
    }
  }
  for (std::size_t o = 0; o < training.optimizers.size(); ++o) {
    const auto ours = master_params(*training.optimizers[o]);
    const auto expected = master_params(*reference.optimizers[o]);
    for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_TRUE(at::equal(ours[i].to(torch::kFloat), expected[i]));
  }
}

TEST_P(ManyModels, TrainAsPlainFp32WithTheSameStepsSkipped) {
  Training reference(GetParam(), torch::kFloat);
  Training training(GetParam(), torch::kHalf);
  set_up_amp(training);
  for (int iteration = 0; iteration < kIterations; ++iteration) iterate(training, reference, iteration);
  expect_equal(training, reference);

  const auto& overflow = GetParam().overflow;
  const bool own = GetParam().has_own_scalers;
  EXPECT_EQ(loss_scale(0), overflow && (!own || overflow->loss == 0) ? 2.0 : 4.0);
  if (own) {
    EXPECT_EQ(loss_scale(1), overflow && overflow->loss == 1 ? 8.0 : 16.0);
  }
}

std::vector<std::optional<Overflow>> overflows_of(const Shape& shape, const std::string& level) {
  std::vector<std::optional<Overflow>> overflows{std::nullopt};
  if (level == "O0" || level == "O3") return overflows;
  for (const int iteration : {0, 1}) {
    for (const int loss : {0, 1}) {
      for (const bool in_half : {false, true}) {
        overflows.push_back(Overflow{iteration, loss, loss, in_half});
        if (shape.models == 3) overflows.push_back(Overflow{iteration, loss, 2, in_half});
      }
    }
  }
  return overflows;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const OptimizerKind& optimizer : kOptimizers) {
    for (const Shape& shape : kShapes) {
      for (const char* level : {"O0", "O1", "O2", "O3"}) {
        for (const Zeroing zeroing : {Zeroing::None, Zeroing::ByModel, Zeroing::ByOptimizer}) {
          for (const bool own : {false, true}) {
            for (const auto& overflow : overflows_of(shape, level)) {
              cases.push_back({&optimizer, &shape, level, zeroing, own, overflow});
            }
          }
        }
      }
    }
  }
  return cases;
}

TEST(ManyModelsCases, AreAsManyAsApexHas) { EXPECT_EQ(all_cases().size(), 672 * kOptimizers.size()); }

INSTANTIATE_TEST_SUITE_P(Engine, ManyModels, testing::ValuesIn(all_cases()), [](const auto& info) {
  std::ostringstream name;
  PrintTo(info.param, &name);
  return name.str();
});

}  // namespace many_models_test
}  // namespace amp

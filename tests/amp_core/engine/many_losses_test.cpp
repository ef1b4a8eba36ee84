// SPDX-License-Identifier: Apache-2.0
// Several models, losses and optimizers against plain FP32 training. All numbers are small multiples of 1/8, and scales
// are powers of two, so FP16, FP32 and the reference agree to the last bit.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "amp_core/amp.h"

namespace amp {
namespace {

struct LayerImpl : torch::nn::Module {
  explicit LayerImpl(std::int64_t start)
      : weight(register_parameter("weight", torch::arange(start, start + 6, torch::kFloat).reshape({3, 2}) / 4)) {}
  at::Tensor forward(const at::Tensor& x) { return x.matmul(weight); }
  at::Tensor weight;
};
TORCH_MODULE(Layer);

struct Case {
  const char* level;
  int optimizers;          ///< 1: all models; 2: the first two models, the third
  bool has_own_scalers;    ///< one a loss, or one for both
  bool zeroes_to_none;     ///< zero_grad() between iterations, or gradients dropped by hand
  int overflow_iteration;  ///< -1: never
  int overflow_loss;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.level << '_' << c.optimizers << "_optimizers_" << (c.has_own_scalers ? "own" : "shared") << "_scalers_"
       << (c.zeroes_to_none ? "none" : "zeroed") << "_overflow_";
  if (c.overflow_iteration < 0) {
    *out << "never";
  } else {
    *out << c.overflow_iteration << "_in_loss_" << c.overflow_loss;
  }
}

constexpr int kIterations = 3;

/// Three models: the third takes part in both losses.
struct Training {
  explicit Training(int optimizer_count) {
    std::vector<at::Tensor> first{models[0]->weight, models[1]->weight};
    if (optimizer_count == 1) first.push_back(models[2]->weight);
    optimizers.push_back(std::make_unique<torch::optim::SGD>(first, options()));
    if (optimizer_count == 1) return;
    optimizers.push_back(std::make_unique<torch::optim::SGD>(std::vector<at::Tensor>{models[2]->weight}, options()));
  }

  static torch::optim::SGDOptions options() { return torch::optim::SGDOptions(0.125).momentum(0.5); }

  at::Tensor loss(int which) {
    const at::Tensor x = torch::tensor({{1.0F, 2.0F, 1.0F}});
    return (forward(models[which], x) + forward(models[2], x)).sum();
  }

  Optimizers all() {
    std::vector<Optimizers::Ref> refs;
    for (auto& optimizer : optimizers) refs.emplace_back(*optimizer);
    return Optimizers(std::move(refs));
  }

  void zero_grad(bool to_none) {
    for (auto& optimizer : optimizers) optimizer->zero_grad(to_none);
  }

  std::vector<Layer> models{Layer(1), Layer(2), Layer(3)};
  std::vector<std::unique_ptr<torch::optim::SGD>> optimizers;
};

class ManyLosses : public testing::TestWithParam<Case> {
 protected:
  void TearDown() override { shutdown(); }

  static bool overflows(int iteration, int loss) {
    return GetParam().overflow_iteration == iteration && GetParam().overflow_loss == loss;
  }

  static void train_reference(Training& training) {
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      training.zero_grad(GetParam().zeroes_to_none);
      training.loss(0).backward();
      training.loss(1).backward();
      if (GetParam().overflow_iteration == iteration) continue;
      for (auto& optimizer : training.optimizers) optimizer->step();
    }
  }

  static void train(Training& training) {
    Options options{.opt_level = GetParam().level, .loss_scale = "dynamic", .verbosity = 0, .max_loss_scale = 4};
    options.num_losses = GetParam().has_own_scalers ? 2 : 1;
    initialize({training.models[0], training.models[1], training.models[2]}, training.all(), options);
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      training.zero_grad(GetParam().zeroes_to_none);
      for (int loss = 0; loss < 2; ++loss) {
        const auto backward = [&](const at::Tensor& scaled) {
          scaled.backward();
          if (overflows(iteration, loss)) training.models[loss]->weight.mutable_grad()[0][0] = INFINITY;
        };
        scale_loss(training.loss(loss), training.all(), backward, {.loss_id = GetParam().has_own_scalers ? loss : 0});
      }
      for (auto& optimizer : training.optimizers) {
        EXPECT_EQ(step(*optimizer), GetParam().overflow_iteration != iteration);
      }
    }
  }
};

TEST_P(ManyLosses, TrainAsPlainFp32Does) {
  Training reference(GetParam().optimizers);
  train_reference(reference);
  Training training(GetParam().optimizers);
  train(training);
  for (int i = 0; i < 3; ++i) {
    const at::Tensor weight = training.models[i]->weight.to(torch::kFloat);
    EXPECT_TRUE(at::equal(weight, reference.models[i]->weight)) << "model " << i << '\n' << weight;
  }
  for (std::size_t o = 0; o < training.optimizers.size(); ++o) {
    const auto masters = master_params(*training.optimizers[o]);
    const auto expected = master_params(*reference.optimizers[o]);
    for (std::size_t i = 0; i < masters.size(); ++i) {
      EXPECT_TRUE(at::equal(masters[i].to(torch::kFloat), expected[i])) << "optimizer " << o << ", parameter " << i;
    }
  }
}

TEST_P(ManyLosses, AScalerHalvesForItsOwnOverflowOnly) {
  Training training(GetParam().optimizers);
  train(training);
  const bool any = GetParam().overflow_iteration >= 0;
  if (!GetParam().has_own_scalers) {
    EXPECT_EQ(loss_scale(0), any ? 2.0 : 4.0);
    return;
  }
  EXPECT_EQ(loss_scale(0), any && GetParam().overflow_loss == 0 ? 2.0 : 4.0);
  EXPECT_EQ(loss_scale(1), any && GetParam().overflow_loss == 1 ? 2.0 : 4.0);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    for (const int optimizers : {1, 2}) {
      for (const bool own : {false, true}) {
        for (const bool none : {false, true}) {
          cases.push_back({level, optimizers, own, none, -1, 0});
          for (const int iteration : {0, 1}) {
            for (const int loss : {0, 1}) cases.push_back({level, optimizers, own, none, iteration, loss});
          }
        }
      }
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Engine, ManyLosses, testing::ValuesIn(all_cases()), [](const auto& info) {
  std::ostringstream name;
  PrintTo(info.param, &name);
  return name.str();
});

}  // namespace
}  // namespace amp

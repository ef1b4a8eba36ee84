// SPDX-License-Identifier: Apache-2.0
// Tests that the engine with fused optimizers, masters, scaled losses and skipped steps agrees with plain FP32
// training.
#include <gtest/gtest.h>

#include <cmath>

#include "amp_core/amp.h"
#include "tests/amp_core/optimizers/training.h"

namespace amp {
namespace engine_with_fused_test {

using namespace testing_optimizers;

/// A linear map. The weight's gradient is the input, which is exact in half at scale 65536 / 1024. The gradient does
/// not depend on the weight, so masters may have any FP32 value.
struct MapImpl : torch::nn::Module {
  MapImpl() : weight(register_parameter("weight", (torch::arange(6, torch::kFloat).reshape({3, 2}) - 2) / 8)) {}
  at::Tensor forward(const at::Tensor& x) { return x.matmul(weight); }
  at::Tensor weight;
};
TORCH_MODULE(Map);

struct Case {
  std::string level;
  Kind kind;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.level << '_' << c.kind.name; }

class EngineWithFused : public testing::TestWithParam<Case> {
 protected:
  void TearDown() override { shutdown(); }

  static at::Tensor input(int step) { return torch::tensor({{1.0F, 2.0F, 0.5F}}) * (1 + step % 3); }
};

TEST_P(EngineWithFused, TrainsAsPlainFp32Does) {
  Map plain;
  const auto reference = GetParam().kind.make({plain->parameters()});
  Map model;
  const auto optimizer = GetParam().kind.make({model->parameters()});
  initialize(model, *optimizer, {.opt_level = GetParam().level, .loss_scale = "dynamic", .verbosity = 0});
  constexpr int kOverflowing = 2;
  for (int step = 0; step < 6; ++step) {
    plain->zero_grad();
    (plain->forward(input(step)).sum() / 1024).backward();
    if (step != kOverflowing) reference->step();
    optimizer->zero_grad();
    scale_loss(forward(model, input(step)).sum() / 1024, *optimizer, [&](const at::Tensor& scaled) {
      scaled.backward();
      if (step == kOverflowing) model->weight.mutable_grad().view(-1)[0] = INFINITY;
    });
    EXPECT_EQ(amp::step(*optimizer), step != kOverflowing);
    const at::Tensor master = master_params(*optimizer).front();
    EXPECT_TRUE(at::equal(master, plain->weight)) << "step " << step << '\n' << master << '\n' << plain->weight;
  }
  EXPECT_TRUE(at::equal(model->weight, plain->weight.to(model->weight.scalar_type())));
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const char* level : {"O0", "O1", "O2"}) {
    for (const Kind& kind : all_kinds()) cases.push_back({level, kind});
    cases.push_back({level, {"Larc", [](const Groups& groups) {
                               return std::make_unique<LARC>(std::make_unique<FusedSGD>(
                                   groups, FusedSGDOptions(0.1).momentum(0.9).weight_decay(0.1)));
                             }}});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Fused, EngineWithFused, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.level + "_" + info.param.kind.name; });

TEST(EngineWithFusedAtO3, StepsHalfParametersWithoutMasters) {
  Map model;
  LARC optimizer(std::make_unique<FusedAdam>(model->parameters(), FusedAdamOptions(0.125)));
  initialize(model, optimizer, {.opt_level = "O3", .verbosity = 0});
  const at::Tensor before = model->weight.detach().clone();
  scale_loss(forward(model, torch::ones({1, 3})).sum(), optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
  EXPECT_TRUE(amp::step(optimizer));
  EXPECT_EQ(model->weight.scalar_type(), at::kHalf);
  EXPECT_FALSE(at::equal(model->weight, before));
  EXPECT_TRUE(at::isfinite(model->weight).all().item<bool>());
  shutdown();
}

}  // namespace engine_with_fused_test
}  // namespace amp

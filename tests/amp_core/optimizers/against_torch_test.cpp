// SPDX-License-Identifier: Apache-2.0
// Compares fused optimizers with LibTorch's plain optimizers, if LibTorch has a counterpart.
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <gtest/gtest.h>

#include <random>

#include "amp_core/levels/properties.h"
#include "tests/amp_core/optimizers/training.h"

namespace amp {
namespace against_torch_test {

using namespace testing_optimizers;
using torch::optim::AdagradOptions;
using torch::optim::AdamOptions;
using torch::optim::AdamWOptions;
using torch::optim::SGDOptions;

constexpr int kSteps = 7;

struct Twins {
  std::string name;
  std::function<OptimizerPtr(const Groups&)> fused;
  std::function<OptimizerPtr(const Groups&)> plain;
};

void PrintTo(const Twins& twins, std::ostream* out) { *out << twins.name; }

template <class Fused, class Plain, class FusedOptions, class PlainOptions>
Twins twins(std::string name, FusedOptions fused, PlainOptions plain) {
  return {std::move(name), kind<Fused>("", fused).make, kind<Plain>("", plain).make};
}

Twins adam(std::string name, FusedAdamOptions fused, AdamOptions plain) {
  return twins<FusedAdam, torch::optim::Adam>(std::move(name), fused.adam_w_mode(false), plain);
}

Twins sgd(std::string name, FusedSGDOptions fused, SGDOptions plain) {
  return twins<FusedSGD, torch::optim::SGD>(std::move(name), fused, plain);
}

Twins adagrad(std::string name, FusedAdagradOptions fused, AdagradOptions plain) {
  return twins<FusedAdagrad, torch::optim::Adagrad>(std::move(name), fused, plain);
}

/// Returns the largest difference after seven steps from the same start with the same gradients.
double difference_after_training(const Twins& twins, const std::vector<std::vector<std::int64_t>>& shapes,
                                 at::ScalarType type) {
  const Tensors fused = parameters_like(shapes, type);
  const Tensors plain = clones_of(fused);
  const auto fused_optimizer = twins.fused({fused});
  const auto plain_optimizer = twins.plain({plain});
  for (int step = 0; step < kSteps; ++step) {
    set_gradients(fused, step);
    set_gradients(plain, step);
    fused_optimizer->step();
    plain_optimizer->step();
  }
  return largest_difference(fused, plain);
}

class AgainstTorch : public testing::TestWithParam<Twins> {};

TEST_P(AgainstTorch, TrainsAsThePlainOptimizerDoes) {
  // Parameters are below 8 and move by at most 1. FP32 has an ulp of 5e-7 there.
  EXPECT_LE(difference_after_training(GetParam(), {{31, 65}, {1}, {4, 3, 3, 3}, {128}}, at::kFloat), 2e-6);
}

TEST_P(AgainstTorch, AgreesInDoubleToItsLastDigits) {
  EXPECT_LE(difference_after_training(GetParam(), {{31, 65}, {1}, {7}}, at::kDouble), 1e-12);
}

TEST_P(AgainstTorch, AgreesOnApexsLargeTensor) {
  EXPECT_LE(difference_after_training(GetParam(), {{278011}}, at::kFloat), 4e-6);
}

const std::tuple<double, double> kBetas{0.8, 0.95};

INSTANTIATE_TEST_SUITE_P(
    Fused, AgainstTorch,
    testing::Values(adam("Adam", {}, {}), adam("AdamWithRate", {0.02}, {0.02}),
                    adam("AdamWithBetas", FusedAdamOptions().betas(kBetas), AdamOptions().betas(kBetas)),
                    adam("AdamWithEps", FusedAdamOptions().eps(0.1), AdamOptions().eps(0.1)),
                    adam("AdamWithDecay", FusedAdamOptions().weight_decay(0.1), AdamOptions().weight_decay(0.1)),
                    twins<FusedAdam, torch::optim::AdamW>("AdamDecoupled", FusedAdamOptions().weight_decay(0.3),
                                                          AdamWOptions().weight_decay(0.3)),
                    Twins{"AdamWByDefault", [](const Groups& groups) { return std::make_unique<FusedAdamW>(groups); },
                          [](const Groups& groups) { return std::make_unique<torch::optim::AdamW>(groups); }},
                    sgd("Sgd", {0.1}, {0.1}),
                    sgd("SgdWithDecay", FusedSGDOptions(0.1).weight_decay(0.2), SGDOptions(0.1).weight_decay(0.2)),
                    sgd("SgdWithMomentum", FusedSGDOptions(0.1).momentum(0.9), SGDOptions(0.1).momentum(0.9)),
                    sgd("SgdWithDampening", FusedSGDOptions(0.1).momentum(0.9).dampening(0.5).weight_decay(0.2),
                        SGDOptions(0.1).momentum(0.9).dampening(0.5).weight_decay(0.2)),
                    sgd("SgdNesterov", FusedSGDOptions(0.1).momentum(0.9).nesterov(true).weight_decay(0.2),
                        SGDOptions(0.1).momentum(0.9).nesterov(true).weight_decay(0.2)),
                    adagrad("Adagrad", {}, {}), adagrad("AdagradWithRate", {0.1}, {0.1}),
                    adagrad("AdagradWithDecay", FusedAdagradOptions(0.1).weight_decay(0.2).eps(1e-6),
                            AdagradOptions(0.1).weight_decay(0.2).eps(1e-6))),
    [](const auto& info) { return info.param.name; });

/// Returns random settings that the optimizers accept.
Twins drawn(std::mt19937& random) {
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  const double lr = uniform(1e-4, 0.1);
  const double decay = uniform(0, 1) < 0.5 ? 0 : uniform(0, 0.3);
  const std::tuple<double, double> betas{uniform(0, 0.95), uniform(0.5, 0.9999)};
  switch (random() % 4) {
    case 0:
      return adam("Adam", FusedAdamOptions(lr).betas(betas).weight_decay(decay),
                  AdamOptions(lr).betas(betas).weight_decay(decay));
    case 1:
      return twins<FusedAdam, torch::optim::AdamW>("AdamW", FusedAdamOptions(lr).betas(betas).weight_decay(decay),
                                                   AdamWOptions(lr).betas(betas).weight_decay(decay));
    case 2:
      return adagrad("Adagrad", FusedAdagradOptions(lr).weight_decay(decay), AdagradOptions(lr).weight_decay(decay));
    default: {
      const double momentum = uniform(0, 1) < 0.3 ? 0 : uniform(0.1, 0.95);
      const bool nesterov = momentum > 0 && uniform(0, 1) < 0.5;
      const double dampening = nesterov || uniform(0, 1) < 0.5 ? 0 : uniform(0, 0.9);
      return sgd("Sgd",
                 FusedSGDOptions(lr).momentum(momentum).nesterov(nesterov).dampening(dampening).weight_decay(decay),
                 SGDOptions(lr).momentum(momentum).nesterov(nesterov).dampening(dampening).weight_decay(decay));
    }
  }
}

TEST(FusedOptimizers, AgreeInDoubleWithAnySettings) {
  std::mt19937 random(20260101);
  for (int round = 0; round < 60; ++round) {
    const Twins settings = drawn(random);
    EXPECT_LE(difference_after_training(settings, {{13}, {3, 5}}, at::kDouble), 1e-11)
        << settings.name << ", round " << round;
  }
}

TEST(FusedOptimizers, AddDecayAfterMomentumOnRequest) {
  const at::Tensor parameter = torch::tensor({2.0, -4.0}, at::kDouble).requires_grad_();
  FusedSGD optimizer(Tensors{parameter}, FusedSGDOptions(0.5).momentum(0.5).weight_decay(0.25).wd_after_momentum(true));
  double p = 2;
  double momentum = 0;
  for (const double g : {1.0, 3.0, -2.0}) {
    parameter.mutable_grad() = torch::tensor({g, 0.0}, at::kDouble);
    optimizer.step();
    momentum = 0.5 * momentum + g;
    p -= 0.5 * (momentum + 0.25 * p);
  }
  EXPECT_DOUBLE_EQ(parameter[0].item<double>(), p);
}

TEST(FusedOptimizers, DecoupleAdagradsDecayOnRequest) {
  const at::Tensor parameter = torch::tensor({2.0}, at::kDouble).requires_grad_();
  FusedAdagrad optimizer(Tensors{parameter}, FusedAdagradOptions(0.5).weight_decay(0.25).adagrad_w_mode(true).eps(0));
  double p = 2;
  double sum = 0;
  for (const double g : {3.0, 4.0}) {
    parameter.mutable_grad() = torch::tensor({g}, at::kDouble);
    optimizer.step();
    sum += g * g;
    p -= 0.5 * (g / std::sqrt(sum) + 0.25 * p);
  }
  EXPECT_NEAR(parameter.item<double>(), p, 1e-15);
}

TEST(FusedOptimizers, LeaveMomentsUncorrectedOnRequest) {
  const at::Tensor parameter = torch::tensor({2.0}, at::kDouble).requires_grad_();
  FusedAdam optimizer(Tensors{parameter}, FusedAdamOptions(0.5).bias_correction(false).eps(0));
  parameter.mutable_grad() = torch::tensor({3.0}, at::kDouble);
  optimizer.step();
  EXPECT_NEAR(parameter.item<double>(), 2 - 0.5 * (0.1 * 3) / std::sqrt(0.001 * 9), 1e-12);
}

TEST(FusedOptimizers, TakeTheFirstStepOfEachParameterAsItsOwn) {
  const Tensors fused = parameters_like({{5}, {5}});
  const Tensors plain = clones_of(fused);
  FusedSGD optimizer(fused, FusedSGDOptions(0.1).momentum(0.9).dampening(0.5));
  torch::optim::SGD reference(plain, SGDOptions(0.1).momentum(0.9).dampening(0.5));
  for (int step = 0; step < 4; ++step) {
    set_gradients(fused, step);
    set_gradients(plain, step);
    if (step < 2) fused[1].mutable_grad() = plain[1].mutable_grad() = at::Tensor();
    optimizer.step();
    reference.step();
  }
  EXPECT_LE(largest_difference(fused, plain), 1e-6);
}

TEST(FusedOptimizers, RefuseOptionsOutOfRange) {
  const Tensors parameters = parameters_like({{2}});
  EXPECT_THROW(FusedAdam(parameters, FusedAdamOptions(-1)), Error);
  EXPECT_THROW(FusedAdam(parameters, FusedAdamOptions().betas({0.9, 1.0})), Error);
  EXPECT_THROW(FusedAdagrad(parameters, FusedAdagradOptions().eps(-1)), Error);
  EXPECT_THROW(FusedSGD(parameters, FusedSGDOptions(0.1).nesterov(true)), Error);
  FusedAdam adam(parameters);
  EXPECT_THROW(adam.skip_if(torch::ones({2})), Error);
  EXPECT_NO_THROW(adam.unscale_by(at::Tensor())) << "takes it back";
}

// The engine needs no fallback while these kernels exist.
TEST(FusedOptimizers, HaveKernelsForTheCpuAndCuda) {
  const bool knows_cuda = c10::impl::hasDeviceGuardImpl(c10::kCUDA);
  for (const char* op : {"aten::_fused_adam_", "aten::_fused_adamw_", "aten::_fused_sgd_", "aten::_fused_adagrad_"}) {
    const auto handle = c10::Dispatcher::singleton().findSchemaOrThrow(op, "");
    EXPECT_TRUE(handle.hasKernelForDispatchKey(c10::DispatchKey::CPU)) << op;
    EXPECT_EQ(handle.hasKernelForDispatchKey(c10::DispatchKey::CUDA), knows_cuda) << op;
  }
}

}  // namespace against_torch_test
}  // namespace amp

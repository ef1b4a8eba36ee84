// SPDX-License-Identifier: Apache-2.0
// The manual's patterns (amp_core/README.md), as they stand there: a test of the architecture compares the two.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdio>

#include "amp_core/amp.h"

namespace amp {
namespace {

using torch::nn::BCEWithLogitsLoss;
using torch::nn::Linear;
using torch::nn::MSELoss;

const at::Tensor kInputs = [] {
  torch::manual_seed(0);
  return torch::randn({32, 4});
}();
const at::Tensor kTargets = kInputs.sum(1, /*keepdim=*/true);

/// The mean squared error of a fitted model.
double error_of(Linear& model) {
  const DisableCasts fp32;
  return torch::mse_loss(model->forward(kInputs.to(model->weight.scalar_type())).to(at::kFloat), kTargets)
      .item<double>();
}

class Manual : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { torch::manual_seed(1); }
  void TearDown() override { shutdown(); }

  Options options() const { return {.opt_level = GetParam(), .verbosity = 0}; }
  int steps = 60;
};

TEST_P(Manual, Simple) {
  Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  amp::initialize(model, optimizer, options());
  for (int step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(amp::forward(model, kInputs), kTargets);
    amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
    amp::step(optimizer);
  }
  EXPECT_LT(error_of(model), 0.01);
}

TEST_P(Manual, Accumulation) {
  Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  amp::initialize(model, optimizer, options());
  const int batches = 2 * steps;
  for (int batch = 0; batch < batches; ++batch) {
    const bool is_last = batch % 2 == 1;
    auto loss = torch::mse_loss(amp::forward(model, kInputs), kTargets) / 2;
    amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); },
                    {.delay_unscale = !is_last});
    if (!is_last) continue;
    amp::step(optimizer);
    optimizer.zero_grad();
  }
  EXPECT_LT(error_of(model), 0.01);
}

TEST_P(Manual, SeveralModelsOptimizersAndLosses) {
  Linear model0(4, 1), model1(4, 1);
  torch::optim::SGD optimizer0(model0->parameters(), 0.05), optimizer1(model1->parameters(), 0.05);
  auto several = options();
  several.num_losses = 3;
  amp::initialize({model0, model1}, {optimizer0, optimizer1}, several);
  for (int step = 0; step < steps; ++step) {
    optimizer0.zero_grad();
    optimizer1.zero_grad();
    auto output0 = amp::forward(model0, kInputs);
    auto output1 = amp::forward(model1, kInputs);
    const auto backward = [](const at::Tensor& scaled) { scaled.backward({}, /*retain_graph=*/true); };
    amp::scale_loss(torch::mse_loss(output0, kTargets), optimizer0, backward, {.loss_id = 0});
    amp::scale_loss(torch::mse_loss(output1, kTargets), optimizer1, backward, {.loss_id = 1});
    amp::scale_loss(torch::mse_loss(output0, output1), {optimizer0, optimizer1}, backward, {.loss_id = 2});
    amp::step(optimizer0);
    amp::step(optimizer1);
  }
  EXPECT_LT(error_of(model0), 0.05);
  EXPECT_LT(error_of(model1), 0.05);
}

TEST_P(Manual, Gan) {
  Linear generator(4, 1), discriminator(1, 1);
  torch::optim::Adam optimizerG(generator->parameters(), torch::optim::AdamOptions(0.01).eps(1e-4));
  torch::optim::Adam optimizerD(discriminator->parameters(), torch::optim::AdamOptions(0.01).eps(1e-4));
  auto three_losses = options();
  three_losses.num_losses = 3;
  amp::initialize({discriminator, generator}, {optimizerD, optimizerG}, three_losses);
  BCEWithLogitsLoss criterion;
  const auto backward = [](const at::Tensor& scaled) { scaled.backward(); };
  const at::Tensor one = torch::ones({32, 1}), zero = torch::zeros({32, 1});
  double lossD = 0, lossG = 0;
  for (int step = 0; step < steps; ++step) {
    optimizerD.zero_grad();
    auto real = criterion(amp::forward(discriminator, kTargets), one);
    amp::scale_loss(real, optimizerD, backward, {.loss_id = 0});
    auto made = amp::forward(generator, kInputs);
    auto fake = criterion(amp::forward(discriminator, made.detach()), zero);
    amp::scale_loss(fake, optimizerD, backward, {.loss_id = 1});
    amp::step(optimizerD);

    optimizerG.zero_grad();
    auto fooled = criterion(amp::forward(discriminator, made), one);
    amp::scale_loss(fooled, optimizerG, backward, {.loss_id = 2});
    amp::step(optimizerG);
    lossD = real.item<double>() + fake.item<double>();
    lossG = fooled.item<double>();
  }
  EXPECT_TRUE(std::isfinite(lossD) && std::isfinite(lossG));
  EXPECT_GT(lossD, 0.5);
}

TEST_P(Manual, Clipping) {
  Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  amp::initialize(model, optimizer, options());
  for (int step = 0; step < 2 * steps; ++step) {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(amp::forward(model, kInputs), kTargets);
    amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
    torch::nn::utils::clip_grad_norm_(amp::master_params(optimizer), 1.0);
    amp::step(optimizer);
  }
  EXPECT_LT(error_of(model), 0.01);
}

INSTANTIATE_TEST_SUITE_P(Levels, Manual, testing::Values("O0", "O1", "O2", "O3"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace amp

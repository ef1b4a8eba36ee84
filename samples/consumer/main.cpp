// SPDX-License-Identifier: Apache-2.0
// Fits a line with mixed precision: the smallest whole program that uses amp_core.
#include <amp_core/amp.h>
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::manual_seed(0);
  torch::nn::Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  amp::initialize(model, optimizer, {.opt_level = "O2"});

  const at::Tensor inputs = torch::randn({64, 4});
  const at::Tensor targets = inputs.sum(1, /*keepdim=*/true);
  double loss_seen = 0;
  for (int step = 0; step < 50; ++step) {
    optimizer.zero_grad();
    const at::Tensor loss = torch::mse_loss(amp::forward(model, inputs), targets);
    amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
    amp::step(optimizer);
    loss_seen = loss.item<double>();
  }
  std::cout << "loss " << loss_seen << ", loss scale " << amp::loss_scale() << '\n';
  return loss_seen < 1e-3 ? 0 : 1;
}

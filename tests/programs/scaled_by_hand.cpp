// SPDX-License-Identifier: Apache-2.0
// feature: the program scales the loss itself, and skips a step that overflows
// steps: 6
// loss: loss
#include <torch/torch.h>

#include <cstdio>

#include "tests/programs/program_state.h"

namespace {

bool unscale(const std::vector<torch::Tensor>& parameters, double scale) {
  const torch::NoGradGuard no_grad;
  bool finite = true;
  for (const auto& parameter : parameters) {
    parameter.mutable_grad().div_(scale);
    finite = finite && parameter.grad().isfinite().all().item<bool>();
  }
  return finite;
}

}  // namespace

int main() {
  torch::set_num_threads(1);
  torch::manual_seed(9);
  torch::nn::Sequential net(torch::nn::Linear(8, 16), torch::nn::Tanh(), torch::nn::Linear(16, 1));
  torch::optim::Adam optimizer(net->parameters(), torch::optim::AdamOptions(1e-3));
  const double scale = 1024;
  for (int i = 0; i < 6; ++i) {
    const auto x = torch::randn({10, 8});
    const auto loss = torch::mse_loss(net->forward(x), x.sum(1, true));
    optimizer.zero_grad();
    (loss * scale).backward();
    if (unscale(net->parameters(), scale)) optimizer.step();
    std::printf("step %d loss %.6f\n", i, loss.item<float>());
  }
  program_state::save(program_state::of(*net));
}

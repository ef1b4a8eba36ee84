// SPDX-License-Identifier: Apache-2.0
// feature: LBFGS with a closure
// steps: 3
#include <torch/torch.h>

#include <iostream>

#include "tests/programs/program_state.h"

int main() {
  torch::set_num_threads(1);
  torch::manual_seed(7);
  torch::nn::Sequential net(torch::nn::Linear(2, 6), torch::nn::Tanh(), torch::nn::Linear(6, 1));
  const auto x = torch::rand({12, 2});
  const auto y = (x.prod(1, /*keepdim=*/true) * 4).sin();
  torch::optim::LBFGS optimizer(net->parameters(), torch::optim::LBFGSOptions(0.5).max_iter(4));
  int evaluations = 0;
  for (int step = 0; step < 3; ++step) {
    const auto loss = optimizer.step([&] {
      ++evaluations;
      optimizer.zero_grad();
      auto value = torch::mse_loss(net->forward(x), y);
      value.backward();
      return value;
    });
    std::cout << "step " << step << " loss " << loss.item<float>() << "\n";
  }
  std::cout << evaluations << " evaluations\n";
  program_state::save(program_state::of(*net));
}

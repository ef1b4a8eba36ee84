// SPDX-License-Identifier: Apache-2.0
// feature: std::exit(5) in the middle of training
// steps: 2
// loss: ^
// exit: 5
#include <torch/torch.h>

#include <cstdio>
#include <cstdlib>

#include "tests/programs/program_state.h"

int main() {
  torch::set_num_threads(1);
  torch::manual_seed(12);
  torch::nn::Linear net(3, 1);
  torch::optim::Adagrad optimizer(net->parameters());
  for (int i = 0; i < 10; ++i) {
    optimizer.zero_grad();
    const auto loss = net(torch::ones({2, 3})).square().mean();
    loss.backward();
    optimizer.step();
    std::printf("%.6f\n", loss.item<float>());
    if (i == 1) {
      program_state::save(program_state::of(*net));
      std::exit(5);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
// feature: an exception thrown by LibTorch is caught, and training continues
// steps: 3
// loss: ^
#include <torch/torch.h>

#include <cstdio>

#include "tests/programs/program_state.h"

int main() {
  torch::set_num_threads(1);
  torch::manual_seed(6);
  torch::nn::Sequential net(torch::nn::Linear(4, 4), torch::nn::ReLU(), torch::nn::Linear(4, 2));
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.1));
  for (const int64_t width : {4, 7, 4, 0, 4}) {
    try {
      optimizer.zero_grad();
      auto loss = net->forward(torch::randn({3, width})).logsumexp(1).mean();
      loss.backward();
      optimizer.step();
      std::printf("%.6f\n", loss.item<float>());
    } catch (const c10::Error& error) {
      std::printf("a batch of width %d is left out\n", static_cast<int>(width));
    }
  }
  program_state::save(program_state::of(*net));
}

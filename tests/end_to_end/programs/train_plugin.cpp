// SPDX-License-Identifier: Apache-2.0
// The plug-in that opens_torch opens.
#include <torch/torch.h>

extern "C" __attribute__((visibility("default"))) void train() {
  torch::manual_seed(1);
  torch::nn::Sequential net(torch::nn::Linear(4, 8), torch::nn::ReLU(), torch::nn::Linear(8, 2));
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grad();
    net->forward(torch::randn({16, 4})).square().mean().backward();
    optimizer.step();
  }
}

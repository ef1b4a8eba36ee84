// SPDX-License-Identifier: Apache-2.0
// feature: a plain training loop with a dataset and a loader
// steps: 4
// loss: loss
#include <torch/torch.h>

#include <cstdio>

#include "tests/programs/program_state.h"

struct Net : torch::nn::Module {
  Net() {
    conv = register_module("conv", torch::nn::Conv2d(1, 4, 3));
    norm = register_module("norm", torch::nn::BatchNorm2d(4));
    fc = register_module("fc", torch::nn::Linear(4 * 6 * 6, 3));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(norm->forward(conv->forward(x)));
    return torch::log_softmax(fc->forward(torch::dropout(x.flatten(1), 0.2, is_training())), 1);
  }
  torch::nn::Conv2d conv{nullptr};
  torch::nn::BatchNorm2d norm{nullptr};
  torch::nn::Linear fc{nullptr};
};

int main() {
  torch::set_num_threads(1);
  torch::manual_seed(0);
  auto data = torch::data::datasets::TensorDataset(torch::randn({16, 1, 8, 8}))
                  .map(torch::data::transforms::Stack<torch::data::TensorExample>());
  auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(std::move(data), 4);
  auto net = std::make_shared<Net>();
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));
  for (auto& batch : *loader) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(net->forward(batch.data), torch::arange(4) % 3);
    loss.backward();
    optimizer.step();
    std::printf("loss %.6f\n", loss.item<float>());
  }
  program_state::save(program_state::of(*net));
}

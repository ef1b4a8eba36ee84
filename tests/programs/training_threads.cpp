// SPDX-License-Identifier: Apache-2.0
// feature: std::thread: two threads that each train a model
// steps: 12
// executed: the loss goes from
// The order of the threads is random.
#include <torch/torch.h>

#include <cstdio>
#include <thread>

#include "tests/programs/program_state.h"

namespace {

double train(torch::nn::Sequential net, const torch::Tensor& data) {
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.02));
  double last = 0;
  for (const auto& batch : data.unbind(0)) {
    optimizer.zero_grad();
    auto loss = (net->forward(batch) - batch.mean(1, true)).square().mean();
    loss.backward();
    optimizer.step();
    last = loss.item<double>();
  }
  return last;
}

}  // namespace

int main() {
  torch::set_num_threads(1);
  torch::manual_seed(4);
  std::vector<torch::nn::Sequential> nets;
  std::vector<torch::Tensor> data;
  for (int i = 0; i < 2; ++i) {
    nets.emplace_back(torch::nn::Linear(4, 8), torch::nn::ReLU(), torch::nn::Linear(8, 1));
    data.push_back(torch::randn({6, 5, 4}));
  }
  double losses[2];
  std::thread other([&] { losses[1] = train(nets[1], data[1]); });
  losses[0] = train(nets[0], data[0]);
  other.join();
  std::printf("%.6f %.6f\n", losses[0], losses[1]);
  auto state = program_state::of(*nets[0], "0");
  for (auto& item : program_state::of(*nets[1], "1")) state.push_back(item);
  program_state::save(state);
}

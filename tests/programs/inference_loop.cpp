// SPDX-License-Identifier: Apache-2.0
// feature: inference without gradients, with an LSTM whose state is kept between calls
// steps: 5
#include <torch/torch.h>

#include <cstdio>

#include "tests/programs/program_state.h"

struct Listener : torch::nn::Module {
  Listener() {
    lstm = register_module("lstm", torch::nn::LSTM(torch::nn::LSTMOptions(3, 6).num_layers(2)));
    out = register_module("out", torch::nn::Linear(6, 2));
  }
  torch::Tensor forward(const torch::Tensor& frame) {
    auto [output, next] = lstm->forward(frame, memory);
    memory = next;
    return out->forward(output).softmax(-1);
  }
  torch::nn::LSTM lstm{nullptr};
  torch::nn::Linear out{nullptr};
  std::tuple<torch::Tensor, torch::Tensor> memory{torch::zeros({2, 1, 6}), torch::zeros({2, 1, 6})};
};

// One LSTM is the outermost module, called for each frame. `out` is called after it.
int main() {
  torch::set_num_threads(1);
  torch::manual_seed(3);
  Listener listener;
  listener.eval();
  const torch::NoGradGuard no_grad;
  for (int frame = 0; frame < 5; ++frame) {
    const auto answer = listener.forward(torch::randn({4, 1, 3}));
    std::printf("frame %d: %.6f\n", frame, answer[-1][0][0].item<float>());
  }
  auto state = program_state::of(listener);
  state.emplace_back("memory", std::get<0>(listener.memory));
  program_state::save(state);
}

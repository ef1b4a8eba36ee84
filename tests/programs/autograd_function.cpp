// SPDX-License-Identifier: Apache-2.0
// feature: a custom torch::autograd::Function
// steps: 3
// loss: ^\S+
#include <torch/torch.h>

#include <cstdio>

#include "tests/programs/program_state.h"

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct LeakyClip : torch::autograd::Function<LeakyClip> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor x, double limit) {
    context->save_for_backward({x});
    context->saved_data["limit"] = limit;
    return x.clamp(-limit, limit) + 0.01 * x;
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto x = context->get_saved_variables()[0];
    const auto inside = (x.abs() < context->saved_data["limit"].toDouble()).to(x.dtype());
    return {gradients[0] * (inside + 0.01), torch::Tensor()};
  }
};

int main() {
  torch::set_num_threads(1);
  torch::manual_seed(1);
  torch::nn::Linear first(5, 8), second(8, 1);
  std::vector<torch::Tensor> parameters = first->parameters();
  for (const auto& parameter : second->parameters()) parameters.push_back(parameter);
  torch::optim::Adam optimizer(parameters, torch::optim::AdamOptions(1e-2));
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grad();
    auto loss = second(LeakyClip::apply(first(torch::randn({6, 5})), 0.5)).square().mean();
    loss.backward();
    optimizer.step();
    std::printf("%d %.6f\n", i, loss.item<float>());
  }
  auto state = program_state::of(*first, "first");
  for (auto& item : program_state::of(*second, "second")) state.push_back(item);
  program_state::save(state);
}

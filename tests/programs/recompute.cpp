// SPDX-License-Identifier: Apache-2.0
// feature: activations recomputed in backward, by a Function that calls backward itself
// steps: 3
// loss: ^
#include <torch/torch.h>

#include <cstdio>
#include <functional>
#include <utility>

#include "tests/programs/program_state.h"

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Block = std::function<torch::Tensor(torch::Tensor)>;

/// Saves only its input, and runs the block again in backward.
struct Checkpoint : torch::autograd::Function<Checkpoint> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor x, const Block* block) {
    context->save_for_backward({x});
    context->saved_data["block"] = reinterpret_cast<int64_t>(block);
    const torch::NoGradGuard no_grad;
    return (*block)(x);
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto* block = reinterpret_cast<const Block*>(context->saved_data["block"].toInt());
    const auto x = context->get_saved_variables()[0].detach().requires_grad_();
    const torch::AutoGradMode enabled(true);
    (*block)(x).backward(gradients[0]);
    return {x.grad(), torch::Tensor()};
  }
};

int main() {
  torch::set_num_threads(1);
  torch::manual_seed(10);
  torch::nn::Linear inner(6, 24), outer(24, 6), head(6, 1);
  const Block block = [&](torch::Tensor x) { return x + outer(torch::gelu(inner(x))); };
  torch::nn::ModuleList all(inner, outer, head);
  torch::optim::SGD optimizer(all->parameters(), torch::optim::SGDOptions(0.05));
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grad();
    const auto x = torch::randn({4, 6}).requires_grad_();
    const auto hidden = Checkpoint::apply(Checkpoint::apply(x, &block), &block);
    const auto loss = head(hidden).square().mean();
    loss.backward();
    optimizer.step();
    std::printf("%.6f\n", loss.item<float>());
  }
  program_state::save(program_state::of(*all));
}

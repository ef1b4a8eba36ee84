// SPDX-License-Identifier: Apache-2.0
// A program that reaches all of ampprof's hooks: modules, threads, a custom function, backward, an optimizer, and steps
// that it marks itself.
#include <torch/torch.h>

#include <cstdio>
#include <thread>

#include "profiler/ampprof.h"

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Doubled : torch::autograd::Function<Doubled> {
  static torch::Tensor forward(AutogradContext*, torch::Tensor x) { return x + torch::mm(x, torch::eye(x.size(1))); }
  static variable_list backward(AutogradContext*, variable_list gradients) { return {gradients[0] * 2}; }
};

struct Net : torch::nn::Module {
  Net() { register_module("first", first), register_module("second", second); }
  torch::Tensor forward(const torch::Tensor& x) { return second(Doubled::apply(torch::relu(first(x)))); }
  torch::nn::Linear first{8, 16}, second{16, 1};
};

}  // namespace

int main() {
  torch::manual_seed(3);
  Net net;
  torch::optim::SGD optimizer(net.parameters(), 0.05);
  for (int step = 0; step < 4; ++step) {
    optimizer.zero_grad();
    const auto loss = net.forward(torch::randn({4, 8})).square().mean();
    loss.backward();
    optimizer.step();
    std::thread([] { static_cast<void>(torch::ones({4}).sum()); }).join();
    std::printf("%d %.9g\n", step, loss.item<double>());
    ampprof::step();
  }
}

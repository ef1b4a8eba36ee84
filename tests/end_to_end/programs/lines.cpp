// SPDX-License-Identifier: Apache-2.0
// "at:" lists the operators that a line calls in the forward pass.
#include <torch/torch.h>

#include <cstdio>

namespace {

struct NetImpl : torch::nn::Module {
  torch::Tensor forward(const torch::Tensor& x) {
    const torch::Tensor y = norm(x);             // at: layer_norm
    return x + torch::gelu(layers->forward(y));  // at: add gelu linear addmm relu t
  }
  torch::nn::LayerNorm norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({8})));
  torch::nn::Sequential layers =
      register_module("layers", torch::nn::Sequential(torch::nn::Linear(8, 8), torch::nn::ReLU()));
};
TORCH_MODULE(Net);

template <typename Function>
torch::Tensor twice(const torch::Tensor& x, Function&& function) {
  return function(function(x));
}

inline torch::Tensor squashed(const torch::Tensor& x) {
  return x.tanh();  // at: tanh
}

}  // namespace

int main() {
  torch::manual_seed(0);
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  torch::Tensor loss;
  for (int step = 0; step < 2; ++step) {
    const torch::Tensor x = torch::ones({4, 8});  // at: ones
    torch::Tensor y = net(x);
    y = twice(y, [](const torch::Tensor& z) {
      return z * 0.5;  // at: mul
    });
    y = squashed(y);
    y = y.mm(y.t());                                  // at: mm t
    loss = torch::mse_loss(y, torch::zeros_like(y));  // at: mse_loss zeros_like
    loss.backward();                                  // at: ones_like
    optimizer.step();
    optimizer.zero_grad();  // at: detach_
  }
  std::printf("%.6f\n", loss.item<double>());  // at: item
}

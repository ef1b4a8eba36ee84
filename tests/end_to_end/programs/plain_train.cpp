// SPDX-License-Identifier: Apache-2.0
// A C++ training program as users write them, which does not use ampprof: plain_train STEPS [CLOCK_FILE [fails]]
#include <torch/torch.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>

namespace {

struct BlockImpl : torch::nn::Module {
  BlockImpl() : conv(torch::nn::Conv2dOptions(4, 4, 3).padding(1)), bn(4) {
    register_module("conv", conv);
    register_module("bn", bn);
  }
  torch::Tensor forward(const torch::Tensor& x) { return torch::relu(bn(conv(x))) + x; }

  torch::nn::Conv2d conv;
  torch::nn::BatchNorm2d bn;
};
TORCH_MODULE(Block);

struct NetImpl : torch::nn::Module {
  NetImpl() : stem(torch::nn::Conv2dOptions(1, 4, 3).padding(1)), fc(4 * 8 * 8, 10) {
    register_module("stem", stem);
    register_module("layer1", layer1);
    register_module("dropout", dropout);
    register_module("fc", fc);
  }
  torch::Tensor forward(torch::Tensor x) { return fc(dropout(layer1->forward(stem(x)).flatten(1))); }

  torch::nn::Conv2d stem;
  torch::nn::Sequential layer1{Block(), Block()};
  torch::nn::Dropout dropout{0.1};
  torch::nn::Linear fc;
};
TORCH_MODULE(Net);

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 3;
  std::ofstream clock_file(argc > 2 ? argv[2] : "/dev/null");
  torch::manual_seed(1);
  Net net;
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.01).momentum(0.9));
  for (int step = 1; step <= steps; ++step) {
    const auto input = torch::randn({8, 1, 8, 8});
    const auto target = torch::randint(10, {8});
    optimizer.zero_grad();
    const auto loss = torch::nn::functional::cross_entropy(net->forward(input), target);
    loss.backward();
    optimizer.step();
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    clock_file << step << ' ' << std::chrono::duration<double>(now).count() << std::endl;
  }
  if (argc > 3) net->forward(torch::randn({1, 2, 8, 8}));  // an uncaught exception: the input has two channels
  std::cout << "done" << std::endl;
}

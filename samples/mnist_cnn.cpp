// SPDX-License-Identifier: Apache-2.0
// Recognises handwritten digits with a small convolutional network.
#include <torch/torch.h>

#include <iostream>

#include "amp_core/amp.h"
#include "samples/common/digits.h"
#include "samples/common/session.h"
#include "samples/common/truth.h"

namespace {

struct NetImpl : torch::nn::Module {
  at::Tensor forward(at::Tensor x) {
    x = torch::max_pool2d(torch::relu(bn1->forward(conv1->forward(x))), 2);
    x = torch::max_pool2d(torch::relu(bn2->forward(conv2->forward(x))), 2);
    x = torch::relu(fc1->forward(x.flatten(1)));
    return fc2->forward(x);
  }

  torch::nn::Conv2d conv1 = register_module("conv1", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 16, 5).padding(2)));
  torch::nn::BatchNorm2d bn1 = register_module("bn1", torch::nn::BatchNorm2d(16));
  torch::nn::Conv2d conv2 = register_module("conv2", torch::nn::Conv2d(torch::nn::Conv2dOptions(16, 32, 3).padding(1)));
  torch::nn::BatchNorm2d bn2 = register_module("bn2", torch::nn::BatchNorm2d(32));
  torch::nn::Linear fc1 = register_module("fc1", torch::nn::Linear(32 * 7 * 7, 100));
  torch::nn::Linear fc2 = register_module("fc2", torch::nn::Linear(100, 10));
};
TORCH_MODULE(Net);

void train(const samples::Arguments& arguments) {
  const at::Device device = samples::set_up(arguments);
  const auto digits = samples::load_digits(arguments.seed);
  const auto last_step = arguments.steps_for(digits.train.size());
  if (arguments.count_steps) {
    std::cout << last_step << std::endl;
    return;
  }
  Net net;
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));
  const samples::HeldWeights held(arguments, *net, optimizer);
  if (!arguments.no_amp) amp::initialize(net, optimizer, samples::amp_options(arguments));

  samples::Batches batches(digits.train.to(device), arguments.batch_size);
  for (std::int64_t step = 1; step <= last_step; ++step) {
    held.begin(step);
    const auto batch = batches.next();
    samples::print_truth(arguments, step, *net, optimizer, [&](at::ScalarType type) {
      return torch::nn::functional::cross_entropy(net->forward(batch.images.to(type)), batch.labels);
    });
    optimizer.zero_grad();
    const auto output = amp::forward(net, samples::poisoned(batch.images, step, arguments));
    const auto loss = torch::nn::functional::cross_entropy(output, batch.labels);
    if (arguments.no_amp) {
      loss.backward();
      optimizer.step();
    } else {
      amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
      amp::step(optimizer);
    }
    samples::print_loss(step, last_step, "loss", loss);
  }

  const torch::NoGradGuard no_grad;
  net->eval();
  const auto test = digits.test.to(device);
  samples::print_accuracy(amp::forward(net, test.images), test.labels);
  samples::save(arguments, {net.get()});
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments =
      samples::parse(argc, argv, "Recognizes digits with a small convolutional network", {.epochs = 2});
  return samples::run([&] { train(arguments); });
}

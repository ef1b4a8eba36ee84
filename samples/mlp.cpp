// SPDX-License-Identifier: Apache-2.0
// Recognises handwritten digits with three fully connected layers.
#include <torch/torch.h>

#include <iostream>

#include "amp_core/amp.h"
#include "samples/common/digits.h"
#include "samples/common/session.h"

namespace {

struct NetImpl : torch::nn::Module {
  at::Tensor forward(at::Tensor x) {
    x = torch::relu(fc1->forward(x.flatten(1)));
    x = dropout->forward(x);
    x = torch::relu(fc2->forward(x));
    return fc3->forward(x);
  }

  torch::nn::Linear fc1 = register_module("fc1", torch::nn::Linear(784, 256));
  torch::nn::Linear fc2 = register_module("fc2", torch::nn::Linear(256, 128));
  torch::nn::Linear fc3 = register_module("fc3", torch::nn::Linear(128, 10));
  torch::nn::Dropout dropout = register_module("dropout", torch::nn::Dropout(0.2));
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
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  const samples::HeldWeights held(arguments, *net, optimizer);
  if (!arguments.no_amp) amp::initialize(net, optimizer, samples::amp_options(arguments));

  samples::Batches batches(digits.train.to(device), arguments.batch_size);
  for (std::int64_t step = 1; step <= last_step; ++step) {
    held.begin(step);
    const auto batch = batches.next();
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
      samples::parse(argc, argv, "Recognizes digits with three fully connected layers", {.epochs = 2});
  return samples::run([&] { train(arguments); });
}

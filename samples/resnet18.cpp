// SPDX-License-Identifier: Apache-2.0
// ResNet-18 in its variant for CIFAR images, 3 x 32 x 32. The images are MNIST digits, padded and in three equal
// channels.
#include <torch/torch.h>

#include <iostream>

#include "amp_core/amp.h"
#include "amp_core/parallel.h"
#include "samples/common/digits.h"
#include "samples/common/session.h"
#include "samples/common/truth.h"

namespace {

torch::nn::Conv2d conv(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride) {
  const auto options = torch::nn::Conv2dOptions(in, out, kernel).stride(stride).padding(kernel / 2).bias(false);
  return torch::nn::Conv2d(options);
}

struct BlockImpl : torch::nn::Module {
  BlockImpl(std::int64_t in, std::int64_t out, std::int64_t stride)
      : conv1(register_module("conv1", conv(in, out, 3, stride))),
        bn1(register_module("bn1", torch::nn::BatchNorm2d(out))),
        conv2(register_module("conv2", conv(out, out, 3, 1))),
        bn2(register_module("bn2", torch::nn::BatchNorm2d(out))) {
    if (stride == 1 && in == out) return;
    shortcut->push_back(conv(in, out, 1, stride));
    shortcut->push_back(torch::nn::BatchNorm2d(out));
    register_module("shortcut", shortcut);
  }

  at::Tensor forward(const at::Tensor& x) {
    at::Tensor y = torch::relu(bn1->forward(conv1->forward(x)));
    y = bn2->forward(conv2->forward(y));
    return torch::relu(y + (shortcut->is_empty() ? x : shortcut->forward(x)));
  }

  torch::nn::Conv2d conv1;
  torch::nn::BatchNorm2d bn1;
  torch::nn::Conv2d conv2;
  torch::nn::BatchNorm2d bn2;
  torch::nn::Sequential shortcut;
};
TORCH_MODULE(Block);

struct ResNet18Impl : torch::nn::Module {
  ResNet18Impl() {
    std::int64_t in = 64;
    for (const std::int64_t out : {64, 128, 256, 512}) {
      blocks->push_back(Block(in, out, out == 64 ? 1 : 2));
      blocks->push_back(Block(out, out, 1));
      in = out;
    }
    register_module("blocks", blocks);
  }

  at::Tensor forward(at::Tensor x) {
    x = blocks->forward(torch::relu(bn->forward(stem->forward(x))));
    return fc->forward(torch::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
  }

  torch::nn::Conv2d stem = register_module("stem", conv(3, 64, 3, 1));
  torch::nn::BatchNorm2d bn = register_module("bn", torch::nn::BatchNorm2d(64));
  torch::nn::Sequential blocks;
  torch::nn::Linear fc = register_module("fc", torch::nn::Linear(512, 10));
};
TORCH_MODULE(ResNet18);

at::Tensor as_cifar(const at::Tensor& digits) {
  return torch::constant_pad_nd(digits, {2, 2, 2, 2}).expand({-1, 3, -1, -1}).contiguous();
}

void train(const samples::Arguments& arguments) {
  amp::parallel::init();
  const at::Device device = samples::set_up(arguments, {amp::parallel::rank(), amp::parallel::local_rank()});
  const auto digits = samples::load_digits(arguments.seed);
  const auto last_step = arguments.steps_for(digits.train.size());
  if (arguments.count_steps) {
    std::cout << last_step << std::endl;
    return;
  }
  ResNet18 net;
  net->to(device);
  amp::parallel::convert_sync_batchnorm(net);
  const auto sgd = torch::optim::SGDOptions(0.05).momentum(0.9).weight_decay(5e-4);
  torch::optim::SGD optimizer(net->parameters(), sgd);
  const samples::HeldWeights held(arguments, *net, optimizer);
  if (!arguments.no_amp) amp::initialize(net, optimizer, samples::amp_options(arguments));
  amp::parallel::DistributedDataParallel<ResNet18> parallel(net);

  samples::Batches batches(digits.train.to(device), arguments.batch_size);
  for (std::int64_t step = 1; step <= last_step; ++step) {
    held.begin(step);
    const auto batch = batches.next();
    samples::print_truth(arguments, step, *net, optimizer, [&](at::ScalarType type) {
      return torch::nn::functional::cross_entropy(net->forward(as_cifar(batch.images).to(type)), batch.labels);
    });
    optimizer.zero_grad();
    const auto output = amp::forward(parallel, samples::poisoned(as_cifar(batch.images), step, arguments));
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
  samples::save(arguments, {net.get()});
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments =
      samples::parse(argc, argv, "Recognizes images of 3 x 32 x 32 with ResNet-18", {.batch_size = 32, .steps = 20});
  return samples::run([&] { train(arguments); });
}

// SPDX-License-Identifier: Apache-2.0
// Measures how far a signal swings around its level. The network pools each channel over time into mean and standard
// deviation, by two long sums and E[x²] - E[x]². If the mean is large, this difference keeps few of FP16's 11 bits.
#include <torch/torch.h>

#include <iostream>

#include "amp_core/amp.h"
#include "samples/common/session.h"

namespace {

constexpr std::int64_t kLength = 2048;
constexpr std::int64_t kChannels = 16;

/// Signals [n, 1, 2048] and the amplitude of their sine, [n, 1].
struct Signals {
  at::Tensor signals;
  at::Tensor amplitudes;

  Signals to(at::Device device) const { return {signals.to(device), amplitudes.to(device)}; }
};

/// Makes a sine of 5 to 50 periods and some noise around a level of 4 to 6.
Signals random_signals(std::int64_t count) {
  const auto amplitudes = torch::rand({count, 1});
  const auto levels = 4 + 2 * torch::rand({count, 1});
  const auto periods = 5 + 45 * torch::rand({count, 1});
  const auto phases = torch::rand({count, 1});
  const auto time = torch::linspace(0, 1, kLength);
  const auto sine = torch::sin(2 * M_PI * (periods * time + phases));
  const auto signals = levels + amplitudes * sine + 0.1 * torch::randn({count, kLength});
  return {signals.unsqueeze(1), amplitudes};
}

torch::nn::Conv1d conv(std::int64_t in, std::int64_t out) {
  return torch::nn::Conv1d(torch::nn::Conv1dOptions(in, out, 9).stride(2).padding(4).padding_mode(torch::kReflect));
}

struct NetImpl : torch::nn::Module {
  at::Tensor forward(at::Tensor x) {
    x = conv2->forward(torch::relu(conv1->forward(x)));
    const auto mean = over_time(x);
    const auto variance = over_time(x * x) - mean * mean;
    const auto pooled = torch::cat({mean, torch::sqrt(torch::clamp_min(variance, 1e-4))}, 1);
    return fc2->forward(torch::relu(fc1->forward(pooled)));
  }

  /// Returns the mean of [n, channels, time] over time, as a product with ones.
  static at::Tensor over_time(const at::Tensor& x) {
    return torch::matmul(x, torch::ones({x.size(2)}, x.options())) / x.size(2);
  }

  torch::nn::Conv1d conv1 = register_module("conv1", conv(1, kChannels / 2));
  torch::nn::Conv1d conv2 = register_module("conv2", conv(kChannels / 2, kChannels));
  torch::nn::Linear fc1 = register_module("fc1", torch::nn::Linear(2 * kChannels, 32));
  torch::nn::Linear fc2 = register_module("fc2", torch::nn::Linear(32, 1));
};
TORCH_MODULE(Net);

void train(const samples::Arguments& arguments) {
  const at::Device device = samples::set_up(arguments);
  if (arguments.count_steps) {
    std::cout << arguments.steps << std::endl;
    return;
  }
  Net net;
  net->to(device);
  const auto adam = torch::optim::AdamOptions(2e-3).eps(1e-4);  // the usual 1e-8 is zero in FP16, at O3
  torch::optim::Adam optimizer(net->parameters(), adam);
  if (!arguments.no_amp) amp::initialize(net, optimizer, samples::amp_options(arguments));

  for (std::int64_t step = 1; step <= arguments.steps; ++step) {
    const auto batch = random_signals(arguments.batch_size).to(device);
    optimizer.zero_grad();
    const auto output = amp::forward(net, samples::poisoned(batch.signals, step, arguments));
    const auto loss = torch::mse_loss(output, batch.amplitudes);
    if (arguments.no_amp) {
      loss.backward();
      optimizer.step();
    } else {
      amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
      amp::step(optimizer);
    }
    samples::print_loss(step, arguments.steps, "loss", loss);
  }

  const torch::NoGradGuard no_grad;
  net->eval();
  const auto test = random_signals(500).to(device);
  const auto error = amp::forward(net, test.signals) - test.amplitudes;
  std::printf("test error %.4f\n", error.pow(2).mean().sqrt().item<double>());
  samples::save(arguments, {net.get()});
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments =
      samples::parse(argc, argv, "Estimates the amplitude of signals from long sums that cancel", {.steps = 150});
  return samples::run([&] { train(arguments); });
}

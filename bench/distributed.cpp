// SPDX-License-Identifier: Apache-2.0
// One rank of bench/distributed.py: times backward with the all-reduce of its gradients by amp_core. Rank 0 prints the
// median time of a backward in milliseconds, and its bytes on the loopback interface.
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>

#include "amp_core/amp.h"
#include "amp_core/parallel.h"

namespace {

constexpr std::int64_t kWidth = 1024;
constexpr int kLayers = 6;
constexpr int kWarmUp = 5;

std::int64_t bytes_of_loopback() {
  std::int64_t bytes = 0;
  std::ifstream("/sys/class/net/lo/statistics/tx_bytes") >> bytes;
  return bytes;
}

torch::nn::Sequential make_model() {
  torch::nn::Sequential model;
  for (int i = 0; i < kLayers; ++i) {
    model->push_back(torch::nn::Linear(kWidth, kWidth));
    model->push_back(torch::nn::ReLU());
  }
  return model;
}

}  // namespace

int main(int, char** argv) {
  const int steps = std::atoi(argv[1]);
  torch::set_num_threads(1);
  amp::parallel::init();
  torch::nn::Sequential model = make_model();
  torch::optim::SGD optimizer(model->parameters(), 0.01);
  amp::initialize(model, optimizer, {.opt_level = "O0", .verbosity = 0});
  amp::parallel::DistributedDataParallel<torch::nn::Sequential> parallel(model);
  const at::Tensor x = torch::randn({32, kWidth});
  std::vector<double> times;
  std::int64_t bytes = 0;
  for (int step = 0; step < kWarmUp + steps; ++step) {
    if (step == kWarmUp) bytes = bytes_of_loopback();
    optimizer.zero_grad();
    const at::Tensor loss = amp::forward(parallel, x).square().mean();
    const auto begin = std::chrono::steady_clock::now();
    amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    if (step >= kWarmUp) times.push_back(time.count());
  }
  bytes = bytes_of_loopback() - bytes;
  std::nth_element(times.begin(), times.begin() + steps / 2, times.end());
  if (amp::parallel::rank() == 0)
    std::cout << times[static_cast<std::size_t>(steps / 2)] << ' ' << bytes / steps << std::endl;
}

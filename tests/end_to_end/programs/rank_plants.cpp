// SPDX-License-Identifier: Apache-2.0
// Trains on several ranks, and plants inf in a gradient of one rank. Steps, ranks and parameters of the plants depend
// on a seed: rank_plants LEVEL SEED PLANTS. The first rank prints "planted STEP RANK PARAMETER OP" for each plant, and
// every rank prints "skipped STEP".
#include <torch/torch.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "amp_core/amp.h"
#include "amp_core/parallel.h"

namespace {

using torch::nn::Linear;

struct NetImpl : torch::nn::Module {
  at::Tensor forward(const at::Tensor& x) {
    const auto hidden = torch::relu(norm->forward(first->forward(x)));
    return last->forward(torch::relu(middle->forward(hidden)));
  }

  Linear first = register_module("first", Linear(16, 24));
  torch::nn::LayerNorm norm =
      register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions(std::vector<std::int64_t>{24})));
  Linear middle = register_module("middle", Linear(24, 24));
  Linear last = register_module("last", Linear(24, 4));
};
TORCH_MODULE(Net);

struct Plant {
  int step = 0;
  int rank = 0;
  std::size_t parameter = 0;
  bool in_place = false;
};

/// Returns the plants by step. They are the same on all ranks.
std::vector<Plant> planned(unsigned seed, int plants, int steps, int ranks, std::size_t parameters) {
  std::mt19937 random(seed);
  std::vector<int> chosen(static_cast<std::size_t>(steps));
  std::iota(chosen.begin(), chosen.end(), 1);
  std::shuffle(chosen.begin(), chosen.end(), random);
  chosen.resize(static_cast<std::size_t>(plants));
  std::sort(chosen.begin(), chosen.end());
  std::vector<Plant> plan;
  for (const int step : chosen) {
    plan.push_back(
        {step, static_cast<int>(random() % static_cast<unsigned>(ranks)), random() % parameters, random() % 2 == 0});
  }
  return plan;
}

at::Tensor spoilt(at::Tensor gradient, bool in_place) {
  if (in_place) return gradient.fill_(std::numeric_limits<float>::infinity());
  return torch::exp(gradient.abs() + 100);  // overflows FP32
}

void train(const std::string& level, unsigned seed, int plants) {
  amp::parallel::init();
  const int rank = amp::parallel::rank();
  torch::set_num_threads(1);
  torch::manual_seed(seed);
  Net net;
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.01));
  // The scale is so low that only plants overflow. A plant halves it, and the next clean step doubles it again.
  amp::initialize(
      net, optimizer,
      {.opt_level = level, .verbosity = 0, .max_loss_scale = 1024.0, .init_scale = 1024.0, .growth_interval = 1});
  amp::parallel::DistributedDataParallel<Net> parallel(net);

  const auto parameters = net->named_parameters();
  const int steps = plants * 12 / 5;
  const auto plan = planned(seed, plants, steps, amp::parallel::world_size(), parameters.size());
  const Plant* now = nullptr;  // this rank's plant in the current step
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    parameters[i].value().register_hook([&now, i](at::Tensor gradient) -> at::Tensor {
      const bool is_here = now != nullptr && now->parameter == i;
      return is_here ? spoilt(std::move(gradient), now->in_place) : gradient;
    });
  }

  torch::manual_seed(seed + 1 + static_cast<unsigned>(rank));
  auto next = plan.begin();
  for (int step = 1; step <= steps; ++step) {
    const bool is_planted = next != plan.end() && next->step == step;
    now = is_planted && next->rank == rank ? &*next : nullptr;
    if (is_planted && rank == 0) {
      std::cout << "planted " << step << ' ' << next->rank << ' ' << parameters[next->parameter].key() << ' '
                << (next->in_place ? "fill_.Scalar" : "exp") << std::endl;
    }
    optimizer.zero_grad();
    const auto x = torch::randn({8, 16});
    const auto loss = torch::mse_loss(amp::forward(parallel, x), x.narrow(1, 0, 4));
    amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
    if (!amp::step(optimizer)) std::cout << "skipped " << step << std::endl;
    if (is_planted) ++next;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "rank_plants LEVEL SEED PLANTS" << std::endl;
    return 1;
  }
  train(argv[1], static_cast<unsigned>(std::stoul(argv[2])), std::stoi(argv[3]));
}

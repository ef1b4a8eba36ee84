// SPDX-License-Identifier: Apache-2.0
// Small models that train well in FP32. All but one fail at O1 because of one or two functions, or in NVFP4 because of
// one matmul. Usage: planted NAME [STEPS]. AMP_OPT_LEVEL chooses the level, AMP_POLICY the remedy. Prints the mean loss
// of the last ten steps. All models except Noisy have a fixed seed.
#include <torch/torch.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "amp_core/amp.h"

namespace {

using torch::nn::Linear;

/// A model that draws its own batches.
struct Model : torch::nn::Module {
  virtual at::Tensor loss() = 0;

  at::Tensor shown;  ///< printed instead of the loss, if defined
  int step = 0;      ///< counts from 1
};

/// Pools 20 vectors by a softmax of base 2 that does not subtract the maximum. Culprit: exp2, forward.
struct Softmax : Model {
  at::Tensor loss() override {
    const auto x = torch::randn({64, 20, 32});
    const auto scores = score->forward(x) / 0.05;
    const auto powers = torch::exp2(scores * M_LOG2E);
    const auto pooled = (powers / powers.sum(1, /*keepdim=*/true) * x).sum(1);
    return torch::mse_loss(head->forward(pooled), x.select(2, 0).amax(1, /*keepdim=*/true));
  }

  Linear score = register_module("score", Linear(32, 1));
  Linear head = register_module("head", Linear(32, 1));
};

/// Composes a layer norm of values in the hundreds. Culprit: mul (the square), forward.
struct Norm : Model {
  at::Tensor loss() override {
    const auto x = torch::randn({64, 32});
    const auto raw = first->forward(x * 1000);
    const auto centred = raw - raw.mean(1, /*keepdim=*/true);
    const auto variance = (centred * centred).mean(1, /*keepdim=*/true);
    const auto normal = centred / torch::sqrt(variance + 1e-5);
    return torch::mse_loss(head->forward(torch::relu(normal)), x.select(1, 0).unsqueeze(1));
  }

  Linear first = register_module("first", Linear(32, 64));
  Linear head = register_module("head", Linear(64, 1));
};

/// Poisson regression of counts around 100,000. The program registers exp as half. Culprit: exp, forward.
struct Exp : Model {
  Exp() {
    amp::register_half_function("exp");
    const torch::NoGradGuard no_grad;
    log_rate->bias.fill_(11.5);
  }

  at::Tensor loss() override {
    const auto x = torch::randn({64, 16});
    const auto counts = 1 + 0.5 * torch::tanh(x.select(1, 0));  // unit: 100,000
    const auto logarithm = log_rate->forward(x).squeeze(1);
    return (torch::exp(logarithm) / 1e5 - counts * logarithm.to(torch::kFloat)).mean() + 11.5;
  }

  Linear log_rate = register_module("log_rate", Linear(16, 1));
};

/// Finds the level of a signal, slightly above 8, by a sum over 4096 values. The loss is the distance from 8, in FP32.
/// Culprit: matmul (the sum), forward. FP16 values of that size are 16 or 32 apart, and the sums differ by only 20.
struct LongSum : Model {
  LongSum() {
    const torch::NoGradGuard no_grad;
    gain->weight.fill_(1);
  }

  at::Tensor loss() override {
    const auto level = torch::randn({64, 1});
    const auto signal = 8 + 0.005 * level + 0.05 * torch::randn({64, 4096});
    const auto positive = torch::relu(gain->forward(signal.unsqueeze(1)).squeeze(1));
    const auto total = torch::matmul(positive, torch::ones({4096})).to(torch::kFloat);
    const auto centred = (total - total.mean()) / 20;
    return torch::mse_loss(head->forward(centred.unsqueeze(1)), level);
  }

  torch::nn::Conv1d gain = register_module("gain", torch::nn::Conv1d(torch::nn::Conv1dOptions(1, 1, 1)));
  Linear head = register_module("head", Linear(1, 1));
};

/// Two losses share a scale. The rough loss has gradients of some thousands, so the scale must be 4; it is static here.
/// The fine loss is clamped in units of 2^-14. Culprit: the second mul, backward: it reduces gradients of about 2^-12
/// to 2^-26, which is zero in FP16. The backward of the first mul would bring them back to 2^-12.
struct Underflow : Model {
  at::Tensor loss() override {
    const auto x = torch::randn({256, 64});
    const auto units = torch::clamp(second->forward(torch::relu(first->forward(x))) * 16384, -16384, 16384);
    shown = torch::mse_loss(units * (1.0 / 16384), x.cumsum(1) / 32);
    return torch::mse_loss(rough->forward(x), 10 * x.sum(1, /*keepdim=*/true), at::Reduction::Sum) + shown;
  }

  Linear first = register_module("first", Linear(64, 128));
  Linear second = register_module("second", Linear(128, 64));
  Linear rough = register_module("rough", Linear(64, 1));
};

/// Pools like Softmax, but sums the powers by a matmul, which FP16 spoils as well. Culprits: exp2 and, once exp2 is in
/// FP32, matmul.
struct Chain : Model {
  at::Tensor loss() override {
    const auto x = torch::randn({64, 20, 32});
    const auto scores = score->forward(x.flatten(0, 1)).view({64, 20}) / 0.05;
    const auto powers = torch::exp2(scores * M_LOG2E);
    const auto weights = powers / torch::matmul(powers, torch::ones({20, 1}));
    const auto pooled = (weights.unsqueeze(2) * x).sum(1);
    return torch::mse_loss(head->forward(pooled), x.select(2, 0).amax(1, /*keepdim=*/true));
  }

  Linear score = register_module("score", Linear(32, 1));
  Linear head = register_module("head", Linear(32, 1));
};

/// Eight layers, each followed by a norm, which hides that the sixth layer has weights in the thousands. Culprit:
/// linear, only in the sixth layer, forward.
struct Blocks : Model {
  Blocks() {
    for (int i = 0; i < 8; ++i) blocks->push_back(Linear(32, 32));
    const torch::NoGradGuard no_grad;
    blocks[5]->as<Linear>()->weight.mul_(1e5);
  }

  at::Tensor loss() override {
    const auto x = torch::randn({64, 32});
    auto hidden = x;
    for (const auto& block : *blocks) {
      hidden = hidden + torch::relu(torch::layer_norm(block->as<Linear>()->forward(hidden), {32}));
    }
    return torch::mse_loss(head->forward(hidden), x.select(1, 0).unsqueeze(1));
  }

  torch::nn::ModuleList blocks = register_module("blocks", torch::nn::ModuleList());
  Linear head = register_module("head", Linear(32, 1));
};

/// Divides by about 2^-10: quotients are some hundreds, and their gradients overflow FP16 at any loss scale. Culprit:
/// div, backward.
struct Quotient : Model {
  at::Tensor loss() override {
    const auto x = torch::randn({64, 16});
    const auto below = torch::sigmoid(divisor->forward(x)) * 0x1p-9;
    const auto quotient = dividend->forward(x) / below;
    return torch::mse_loss(quotient * 0x1p-9, 2 * x.select(1, 0).unsqueeze(1) + 0.5 * torch::randn({64, 1}));
  }

  Linear dividend = register_module("dividend", Linear(16, 1));
  Linear divisor = register_module("divisor", Linear(16, 1));
};

/// LongSum with an untrained signal, noisy levels, and a new seed in each run, so that its losses differ between runs.
/// Culprit: matmul, forward.
struct Noisy : Model {
  at::Tensor loss() override {
    const auto level = torch::randn({16, 1});
    const auto signal = 8 + 0.003 * level + 0.05 * torch::randn({16, 4096});
    const auto total = torch::matmul(signal, torch::ones({4096, 1})).to(torch::kFloat);
    const auto hidden = torch::relu(first->forward((total - total.mean()) / 12));
    return torch::mse_loss(head->forward(hidden), level + 0.5 * torch::randn({16, 1}));
  }

  Linear first = register_module("first", Linear(1, 16));
  Linear head = register_module("head", Linear(16, 1));
};

/// The input grows and exceeds FP16 from about step 205 on. A norm hides this from all later ops. Culprit: linear
/// in the stem, forward.
struct Late : Model {
  at::Tensor loss() override {
    const auto x = torch::randn({64, 32});
    const auto grown = x * std::exp2(step / 14.5);
    const auto normal = torch::relu(torch::layer_norm(stem->forward(grown), {32}));
    return torch::mse_loss(head->forward(torch::relu(middle->forward(normal))), x.select(1, 0).unsqueeze(1));
  }

  Linear stem = register_module("stem", Linear(32, 32));
  Linear middle = register_module("middle", Linear(32, 32));
  Linear head = register_module("head", Linear(32, 1));
};

/// Has no culprit.
struct Fine : Model {
  at::Tensor loss() override {
    const auto x = torch::randn({64, 32});
    return torch::mse_loss(head->forward(torch::relu(first->forward(x))), x.select(1, 0).unsqueeze(1));
  }

  Linear first = register_module("first", Linear(32, 64));
  Linear head = register_module("head", Linear(64, 1));
};

/// Divides by a root mean square of values in the hundreds. Culprit: mul (the square), forward, or linear in the first
/// layer, forward: if linear returns FP32, the square is in FP32, too.
struct Either : Model {
  at::Tensor loss() override {
    const auto x = torch::randn({64, 32});
    const auto raw = first->forward(x * 1000);
    const auto size = torch::sqrt((raw * raw).mean(1, /*keepdim=*/true) + 1e-5);
    return torch::mse_loss(head->forward(torch::relu(raw / size)), x.select(1, 0).unsqueeze(1));
  }

  Linear first = register_module("first", Linear(32, 64));
  Linear head = register_module("head", Linear(64, 1));
};

/// Two input features are always 0, and their weights are huge. With one scale per 16x16 weights, as in NVFP4, all
/// other weights round to 0. Culprit: only fprop of the stem.
struct Outlier : Model {
  Outlier() {
    const torch::NoGradGuard no_grad;
    for (const int row : {0, 16}) {
      for (const int column : {0, 16}) stem->weight[row][column] = 1e4;
    }
  }

  at::Tensor loss() override {
    const auto x = torch::randn({64, 32});
    x.select(1, 0).zero_();
    x.select(1, 16).zero_();
    const auto hidden = torch::relu(middle->forward(torch::relu(stem->forward(x))));
    return torch::mse_loss(head->forward(hidden), x.select(1, 1).unsqueeze(1));
  }

  Linear stem = register_module("stem", Linear(32, 32));
  Linear middle = register_module("middle", Linear(32, 32));
  Linear head = register_module("head", Linear(32, 1));
};

struct Plant {
  std::function<std::shared_ptr<Model>()> make;
  double learning_rate;
  std::optional<amp::LossScale> loss_scale = std::nullopt;
  bool chooses_seed = true;
};

const std::map<std::string, Plant>& plants() {
  static const std::map<std::string, Plant> all{
      {"softmax", {std::make_shared<Softmax>, 0.003}},
      {"norm", {std::make_shared<Norm>, 0.01}},
      {"exp", {std::make_shared<Exp>, 0.02}},
      {"long_sum", {std::make_shared<LongSum>, 0.01}},
      {"underflow", {std::make_shared<Underflow>, 0.005, 4.0}},
      {"chain", {std::make_shared<Chain>, 0.003}},
      {"blocks", {std::make_shared<Blocks>, 0.003}},
      {"quotient", {std::make_shared<Quotient>, 0.01, 8.0}},
      {"noisy", {std::make_shared<Noisy>, 0.03, std::nullopt, false}},
      {"late", {std::make_shared<Late>, 0.003}},
      {"fine", {std::make_shared<Fine>, 0.005}},
      {"either", {std::make_shared<Either>, 0.01}},
      {"outlier", {std::make_shared<Outlier>, 0.003}},
  };
  return all;
}

void train(const Plant& plant, int steps) {
  if (plant.chooses_seed) torch::manual_seed(1);
  const auto model = plant.make();
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(plant.learning_rate));
  amp::initialize(*model, optimizer, {.loss_scale = plant.loss_scale, .verbosity = 0});
  double last = 0.0;
  for (int step = 1; step <= steps; ++step) {
    optimizer.zero_grad();
    model->step = step;
    const auto loss = model->loss();
    amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
    amp::step(optimizer);
    if (step > steps - 10) last += (model->shown.defined() ? model->shown : loss).item<double>() / 10;
  }
  std::cout << last << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  const auto found = plants().find(argc > 1 ? argv[1] : "");
  if (found == plants().end()) {
    std::cerr << "planted";
    for (const auto& [name, plant] : plants()) std::cerr << (name == plants().begin()->first ? ' ' : '|') << name;
    std::cerr << " [STEPS]" << std::endl;
    return 1;
  }
  train(found->second, argc > 2 ? std::stoi(argv[2]) : 100);
}

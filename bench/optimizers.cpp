// SPDX-License-Identifier: Apache-2.0
// Compares the speed of amp_core's optimizers and gradient handling with that of hand-written ATen code and of
// LibTorch's optimizers: bench_optimizers
#include "amp_core/optimizers.h"

#include <torch/nn/module.h>
#include <torch/optim.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "amp_core/amp.h"
#include "amp_core/engine/gradients.h"

namespace {

using Tensors = std::vector<at::Tensor>;
using Work = std::function<void()>;

struct Shape {
  const char* name;
  int tensors;
  std::int64_t elements;
};

double ms_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// Times `ours` and `other` alternately, so that they run under the same conditions. Prints the medians and their
/// ratio.
void compare(const std::string& what, const Shape& shape, const Work& ours, const Work& other) {
  constexpr int kRuns = 41;
  std::vector<double> ours_ms;
  std::vector<double> other_ms;
  for (int run = -3; run < kRuns; ++run) {
    const double a = ms_of(ours);
    const double b = ms_of(other);
    if (run < 0) continue;  // warm-up
    ours_ms.push_back(a);
    other_ms.push_back(b);
  }
  const double a = median(ours_ms);
  const double b = median(other_ms);
  std::printf("%-44s %-10s %9.3f %9.3f %7.2f\n", what.c_str(), shape.name, a, b, a / b);
}

Tensors parameters_of(const Shape& shape, at::ScalarType type = at::kFloat) {
  Tensors parameters;
  for (int i = 0; i < shape.tensors; ++i) {
    parameters.push_back(torch::randn({shape.elements}).to(type).requires_grad_());
    parameters.back().mutable_grad() = torch::randn({shape.elements}).to(type);
  }
  return parameters;
}

Tensors gradients_of(const Tensors& parameters) {
  Tensors gradients;
  for (const auto& parameter : parameters) gradients.push_back(parameter.grad());
  return gradients;
}

/// Adam, as a program would write it with ATen.
struct AdamByHand {
  explicit AdamByHand(Tensors the_parameters) : parameters(std::move(the_parameters)) {
    for (const auto& parameter : parameters) {
      averages.push_back(torch::zeros_like(parameter));
      squares.push_back(torch::zeros_like(parameter));
      steps.push_back(torch::zeros({}));
    }
  }

  void step(const Tensors& gradients, const std::optional<at::Tensor>& scale, const std::optional<at::Tensor>& found) {
    const torch::NoGradGuard no_grad;
    at::_foreach_add_(steps, 1);
    at::_fused_adamw_(parameters, gradients, averages, squares, {}, steps, 1e-3, 0.9, 0.999, 0.0, 1e-8, false, false,
                      scale, found);
    if (found) at::_foreach_sub_(steps, Tensors(steps.size(), *found));
  }

  Tensors parameters;
  Tensors averages;
  Tensors squares;
  Tensors steps;
};

void scaled_adam(const Shape& shape) {
  const Tensors ours = parameters_of(shape);
  amp::FusedAdam optimizer(ours);
  const Tensors theirs = parameters_of(shape);
  AdamByHand by_hand(theirs);
  // Dividing by a scale of 1 takes as long as by any other scale. The kernel divides the gradients in place, so another
  // scale would shrink them in each run.
  const at::Tensor scale = torch::ones({1});
  const at::Tensor found = torch::zeros({1});
  const auto with_flags = [&] {
    optimizer.unscale_by(scale);
    optimizer.skip_if(found);
    optimizer.step();
  };
  compare("FusedAdam, scaled, with flag / by hand", shape, with_flags,
          [&] { by_hand.step(gradients_of(theirs), scale, found.squeeze()); });
}

void plain_adam(const Shape& shape) {
  amp::FusedAdam ours(parameters_of(shape));
  torch::optim::Adam theirs(parameters_of(shape));
  compare(
      "torch::optim::Adam / FusedAdam", shape, [&] { theirs.step(); }, [&] { ours.step(); });
}

void plain_sgd(const Shape& shape) {
  amp::FusedSGD ours(parameters_of(shape), amp::FusedSGDOptions(0.1).momentum(0.9));
  torch::optim::SGD theirs(parameters_of(shape), torch::optim::SGDOptions(0.1).momentum(0.9));
  compare(
      "torch::optim::SGD, momentum / FusedSGD", shape, [&] { theirs.step(); }, [&] { ours.step(); });
}

struct Model : torch::nn::Module {
  explicit Model(const Shape& shape) {
    for (int i = 0; i < shape.tensors; ++i) {
      register_parameter("p" + std::to_string(i), torch::randn({shape.elements}));
    }
  }
};

void masters(const Shape& shape) {
  Model model(shape);
  const Tensors gradients = gradients_of(parameters_of(shape, at::kHalf));
  amp::FusedAdam optimizer(model.parameters());
  amp::initialize(model, optimizer, {.opt_level = "O2", .verbosity = 0});
  const Tensors halves = model.parameters();
  const at::Tensor loss = torch::ones({});
  const auto with_engine = [&] {
    const auto backward = [&](const at::Tensor&) {
      for (std::size_t i = 0; i < halves.size(); ++i) halves[i].mutable_grad() = gradients[i];
    };
    amp::scale_loss(loss, optimizer, backward);
    amp::step(optimizer);
  };

  const Tensors model_by_hand = parameters_of(shape, at::kHalf);
  Tensors wide;
  for (const auto& parameter : model_by_hand) wide.push_back(parameter.detach().to(at::kFloat));
  AdamByHand by_hand(wide);
  const auto hand_written = [&] {
    const torch::NoGradGuard no_grad;
    Tensors master_gradients;
    for (const auto& gradient : gradients) master_gradients.push_back(torch::empty(gradient.sizes()));
    at::_foreach_copy_(master_gradients, gradients);
    at::Tensor found = torch::zeros({1});
    at::_amp_foreach_non_finite_check_and_unscale_(master_gradients, found, torch::full({1}, 1.0 / 65536));
    if (found.item<float>() != 0) return;
    by_hand.step(master_gradients, std::nullopt, std::nullopt);
    at::_foreach_copy_(model_by_hand, wide);
  };
  compare("O2: scale_loss + step, masters / by hand", shape, with_engine, hand_written);
  amp::shutdown();
}

void unscaling(const Shape& shape) {
  const Tensors parameters = parameters_of(shape);
  torch::optim::SGD optimizer(parameters, 0.1);
  amp::OptimizerState state;
  state.optimizer = &optimizer;
  const Tensors gradients = gradients_of(parameters_of(shape));
  const auto ours = [&] {
    auto of_pass = amp::gradients_of_pass(state);
    static_cast<void>(amp::unscale(of_pass, 1.0).is_set());
  };
  const auto kernel = [&] {
    at::Tensor found = torch::zeros({1});
    at::_amp_foreach_non_finite_check_and_unscale_(gradients, found, torch::ones({1}));
    static_cast<void>(found.item<float>());
  };
  compare("unscale and check / ATen's kernel", shape, ours, kernel);
}

}  // namespace

int main() {
  torch::manual_seed(1);
  std::printf("%-44s %-10s %9s %9s %7s\n", "A / B, medians of 41 that take turns", "parameters", "A ms", "B ms", "A/B");
  for (const Shape& shape : {Shape{"200 x 10k", 200, 10'000}, Shape{"1 x 10M", 1, 10'000'000}}) {
    scaled_adam(shape);
    masters(shape);
    unscaling(shape);
    plain_adam(shape);
    plain_sgd(shape);
  }
}

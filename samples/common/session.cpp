// SPDX-License-Identifier: Apache-2.0
#include "samples/common/session.h"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/torch.h>

#include <cmath>
#include <fstream>
#include <iostream>

namespace samples {
namespace {

/// The largest relative dither: one spacing of BF16.
constexpr double kDither = 1.0 / 256;
constexpr std::uint64_t kStepsOfASeed = 1000000;

bool g_is_first_rank = true;

std::string text_of(double loss) {
  if (std::isnan(loss)) return "nan";  // printf would print "-nan" if the sign bit is set
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", loss);
  return text;
}

void use_deterministic_kernels() {
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
  at::globalContext().setDeterministicCuDNN(true);
}

void write(const std::string& file, const std::vector<at::Tensor>& tensors) {
  if (file.empty()) return;
  std::ofstream out(file, std::ios::binary);
  torch::save(tensors, out);
  if (!out.flush()) throw std::runtime_error("Cannot write " + file + ".");
}

}  // namespace

at::Device set_up(const Arguments& arguments, const Rank& rank) {
  g_is_first_rank = rank.number == 0;
  if (arguments.threads > 0) torch::set_num_threads(arguments.threads);
  torch::manual_seed(arguments.seed + static_cast<std::uint64_t>(rank.number));
  if (arguments.deterministic) use_deterministic_kernels();
  const bool use_cuda = arguments.device == "cuda" || (arguments.device == "auto" && torch::cuda::is_available());
  if (!use_cuda) return at::Device(at::kCPU);
  return rank.local == 0 ? at::Device(at::kCUDA) : at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(rank.local));
}

at::Tensor poisoned(const at::Tensor& images, std::int64_t step, const Arguments& arguments) {
  return step == arguments.poison_step ? images * 131072.0 : images;
}

void print_loss(std::int64_t step, std::int64_t last_step, const char* name, const at::Tensor& loss) {
  if (!g_is_first_rank || (step % 20 != 0 && step != last_step)) return;
  std::cout << "step " << step << "  " << name << ' ' << text_of(loss.item<double>()) << std::endl;
}

void print_accuracy(const at::Tensor& outputs, const at::Tensor& labels) {
  if (!g_is_first_rank) return;
  const auto right = outputs.argmax(1).eq(labels).sum().item<std::int64_t>();
  char text[64];
  std::snprintf(text, sizeof text, "test accuracy %.1f %%", 100.0 * static_cast<double>(right) / labels.size(0));
  std::cout << text << std::endl;
}

void print_bits_per_symbol(const at::Tensor& loss) {
  if (!g_is_first_rank) return;
  char text[64];
  std::snprintf(text, sizeof text, "test bits per symbol %.2f", loss.item<double>() / std::log(2.0));
  std::cout << text << std::endl;
}

void save(const Arguments& arguments, const std::vector<torch::nn::Module*>& modules) {
  if (!g_is_first_rank) return;
  std::vector<at::Tensor> weights, state;
  for (const auto* module : modules) {
    for (const auto& parameter : module->parameters()) weights.push_back(parameter.detach().cpu());
    for (const auto& buffer : module->buffers()) state.push_back(buffer.detach().cpu());
  }
  write(arguments.save_weights, weights);
  state.insert(state.end(), weights.begin(), weights.end());
  state.push_back(at::detail::getDefaultCPUGenerator().get_state());
  if (const auto parameters = modules.front()->parameters(); !parameters.empty() && parameters.front().is_cuda()) {
    state.push_back(at::globalContext().defaultGenerator(parameters.front().device()).get_state());
  }
  write(arguments.save, state);
}

HeldWeights::HeldWeights(const Arguments& arguments, torch::nn::Module& model, torch::optim::Optimizer& optimizer)
    : is_dithered_(arguments.dither_weights), seed_(arguments.seed) {
  if (arguments.hold_weights.empty()) return;
  std::ifstream in(arguments.hold_weights, std::ios::binary);
  if (!in) throw std::runtime_error("Cannot read " + arguments.hold_weights + ".");
  torch::load(weights_, in);
  parameters_ = model.parameters();
  TORCH_CHECK(weights_.size() == parameters_.size(), arguments.hold_weights, " holds the weights of another model.");
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < weights_.size(); ++i) parameters_[i].copy_(weights_[i]);
  for (auto& group : optimizer.param_groups()) group.options().set_lr(0.0);
}

void HeldWeights::begin(std::int64_t step) const {
  if (!is_dithered_) return;
  const torch::NoGradGuard no_grad;
  const auto generator =
      at::make_generator<at::CPUGeneratorImpl>(seed_ * kStepsOfASeed + static_cast<std::uint64_t>(step));
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const at::Tensor factor = torch::empty_like(weights_[i]).uniform_(1 - kDither, 1 + kDither, generator);
    parameters_[i].copy_(weights_[i] * factor);
  }
}

int run(const std::function<void()>& sample) {
  try {
    sample();
    return 0;
  } catch (const c10::Error& error) {
    std::cerr << error.what_without_backtrace() << std::endl;
    return 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}

}  // namespace samples

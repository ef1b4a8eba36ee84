// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/optim/optimizer.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "samples/common/arguments.h"

/// The few things around a training loop that are the same in every sample. No mixed precision in here: that is what a
/// sample shows.
namespace samples {

/// Which of several processes this is that train together; the only one by default. The first alone prints and saves.
struct Rank {
  int number = 0;  ///< among all: each draws its own random numbers
  int local = 0;   ///< on its machine: the GPU to train on
};

/// Threads and seed as the arguments want them; returns the device to train on.
at::Device set_up(const Arguments& arguments, const Rank& rank = {});

/// The batch as it is, but 2^17 times as large in the step that the arguments poison: its FP16 values are infinite.
at::Tensor poisoned(const at::Tensor& images, std::int64_t step, const Arguments& arguments);

/// Prints a line of progress every 20 steps and at the last one.
void print_loss(std::int64_t step, std::int64_t last_step, const char* name, const at::Tensor& loss);

/// Share of digits recognised, printed as "test accuracy 97.1 %".
void print_accuracy(const at::Tensor& outputs, const at::Tensor& labels);

/// Mean cross entropy of a language model, printed as "test bits per symbol 2.97".
void print_bits_per_symbol(const at::Tensor& loss);

/// Writes the files that the arguments ask for: parameters, buffers and the random state of the CPU and the model's
/// GPU, or parameters alone. The same state gives the same bytes.
void save(const Arguments& arguments, const std::vector<torch::nn::Module*>& modules);

/// The weights of the file that the arguments hold, as save() wrote it for a model of the same class: batches go on,
/// weights stay. Does nothing where they hold none.
class HeldWeights {
 public:
  /// Gives them to the model, and sets learning rates to 0. To be called before amp::initialize().
  HeldWeights(const Arguments& arguments, torch::nn::Module& model, torch::optim::Optimizer& optimizer);

  /// With `--dither-weights` moves each FP32 weight at random by up to 2^-8 of what the file says, so that each step
  /// rounds it otherwise. The same seed and step move it alike.
  void begin(std::int64_t step) const;

 private:
  std::vector<at::Tensor> weights_;  ///< as in the file
  std::vector<at::Tensor> parameters_;
  bool is_dithered_ = false;
  std::uint64_t seed_ = 0;
};

/// Runs a sample: what it throws becomes one sentence on stderr and exit code 1.
int run(const std::function<void()>& sample);

}  // namespace samples

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/optim/optimizer.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "samples/common/arguments.h"

/// The code around a training loop that all samples share. The code for mixed precision is in each sample's own file.
namespace samples {

/// Identifies this process among those that train together. By default, there is only this process. Only rank 0 prints
/// and saves.
struct Rank {
  int number = 0;  ///< rank among all processes; added to the seed, so that each process draws other random numbers
  int local = 0;   ///< rank on its machine: index of the GPU to train on
};

/// Sets threads and seed from the arguments. Returns the device to train on.
at::Device set_up(const Arguments& arguments, const Rank& rank = {});

/// Returns the batch unchanged, except in the step `--poison-step`: there it is multiplied by 2^17, so that its FP16
/// values are infinite.
at::Tensor poisoned(const at::Tensor& images, std::int64_t step, const Arguments& arguments);

/// Prints a line of progress every 20 steps and at the last one.
void print_loss(std::int64_t step, std::int64_t last_step, const char* name, const at::Tensor& loss);

/// Prints the share of recognised digits, as "test accuracy 97.1 %".
void print_accuracy(const at::Tensor& outputs, const at::Tensor& labels);

/// Prints the mean cross entropy of a language model, as "test bits per symbol 2.97".
void print_bits_per_symbol(const at::Tensor& loss);

/// Writes parameters, buffers and the random state of the CPU and the model's GPU to the `--save` file, and parameters
/// alone to the `--save-weights` file. The same state gives the same bytes.
void save(const Arguments& arguments, const std::vector<torch::nn::Module*>& modules);

/// Keeps a model's weights at those of the `--hold-weights` file, which save() wrote for a model of the same class,
/// while training steps run as usual. Does nothing without such a file.
class HeldWeights {
 public:
  /// Loads the weights into the model, and sets learning rates to 0. Call it before amp::initialize().
  HeldWeights(const Arguments& arguments, torch::nn::Module& model, torch::optim::Optimizer& optimizer);

  /// Call it at the start of each step. With `--dither-weights`, changes each FP32 weight at random by up to 2^-8 of
  /// its value in the file, so that each step rounds it differently. Deterministic for a seed and step.
  void begin(std::int64_t step) const;

 private:
  std::vector<at::Tensor> weights_;  ///< weights in the file
  std::vector<at::Tensor> parameters_;
  bool is_dithered_ = false;
  std::uint64_t seed_ = 0;
};

/// Runs a sample. Turns an exception into one sentence on stderr and exit code 1.
int run(const std::function<void()>& sample);

}  // namespace samples

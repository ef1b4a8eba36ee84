// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/optim/optimizer.h>

#include <functional>

#include "samples/common/arguments.h"

namespace samples {

/// Prints the loss of the step `--truth-step` without mixed precision, with 17 digits: "truth step 20  loss64 2.3
/// loss32 2.3". `loss_in(type)` computes the loss from inputs of that type. While it runs, the model's parameters have
/// that type too, converted from the weights that the optimizer updates: FP32 master weights at O2, the half weights
/// themselves at O3. Disables casts and gradients. Restores parameters, buffers and random state.
void print_truth(const Arguments& arguments, std::int64_t step, torch::nn::Module& model,
                 const torch::optim::Optimizer& optimizer, const std::function<at::Tensor(at::ScalarType)>& loss_in);

}  // namespace samples

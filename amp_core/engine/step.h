// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/optim/optimizer.h>

#include <vector>

namespace amp {

/// Runs the optimizer's step with casts off, then copies masters to the model; or does neither when a backward pass
/// overflowed, and prints a line that says so. Returns whether the optimizer stepped.
///
/// Where a Fused* optimizer runs on CUDA and no listener is there, the step is queued without waiting to learn whether
/// it will be skipped, and true is returned; the line then comes with the next scale_loss(), or whenever the scale is
/// asked for.
bool step(torch::optim::Optimizer& optimizer);

/// Runs the optimizer's step with a closure, as torch::optim::LBFGS needs one; returns its loss. Refused where there are
/// masters, a dynamic scale or O1's casts: an optimizer that evaluates the closure several times in a step would use
/// gradients that nobody has unscaled or checked.
at::Tensor step(torch::optim::Optimizer& optimizer, const torch::optim::Optimizer::LossClosure& closure);

/// Returns the parameters that the optimizer updates, FP32 masters where there are any, in order: what to clip.
std::vector<at::Tensor> master_params(const torch::optim::Optimizer& optimizer);

}  // namespace amp

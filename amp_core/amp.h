// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "amp_core/casts/casts.h"
#include "amp_core/casts/decorators.h"
#include "amp_core/casts/module_path.h"
#include "amp_core/casts/registration.h"
#include "amp_core/casts/scopes.h"
#include "amp_core/emulation/half_on_cpu.h"
#include "amp_core/forward.h"
#include "amp_core/levels/properties.h"
#include "amp_core/models.h"

/// Mixed precision training for LibTorch, with the opt levels, lists and loss scaling of NVIDIA Apex.
///
///     amp::initialize(model, optimizer, {.opt_level = "O1"});
///     for (...) {
///       optimizer.zero_grad();
///       auto loss = loss_of(amp::forward(model, batch), labels);
///       amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
///       amp::step(optimizer);
///     }
///
/// One engine per process, used by one thread at a time. Whatever is wrong is said in an amp::Error.
namespace amp {

/// Sets models and optimizers up for a level. Models are FP32 and on their device before; optimizers may not be passed
/// twice. The environment variable AMP_OPT_LEVEL forces the level. Models and optimizers must outlive their use here,
/// until shutdown(). May be called again, at the same level, for further models.
void initialize(const Models& models, const Optimizers& optimizers, const Options& options = {});

struct ScaleLossOptions {
  int loss_id = 0;             ///< which of `num_losses` scalers
  bool delay_unscale = false;  ///< gradients stay scaled and add up until a call without it
};

/// Scales the loss, calls `backward` with it, and leaves unscaled gradients behind: in the masters of half parameters,
/// in the parameters otherwise. Where a gradient is not finite and the scale is dynamic, the scale falls, the
/// gradients are dropped and the next step() of each of these optimizers is skipped. If `backward` throws, gradients
/// are as they were before the call.
void scale_loss(const at::Tensor& loss, const Optimizers& optimizers,
                const std::function<void(const at::Tensor& scaled)>& backward, const ScaleLossOptions& options = {});

/// The optimizer's step with casts off, then masters are copied to the model; or none of it when a backward pass
/// overflowed. Returns whether the optimizer stepped.
bool step(torch::optim::Optimizer& optimizer);

/// The parameters that the optimizer updates, FP32 masters where there are any, in order: what to clip.
std::vector<at::Tensor> master_params(const torch::optim::Optimizer& optimizer);

double loss_scale(int loss_id = 0);

/// The settings in force. Throws before initialize().
const Properties& properties();

/// Forgets models, optimizers and scalers, and ends casts on this thread. Models stay as they are.
void shutdown();

}  // namespace amp

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
#include "amp_core/checkpoint/checkpoint.h"
#include "amp_core/emulation/half_on_cpu.h"
#include "amp_core/forward.h"
#include "amp_core/levels/properties.h"
#include "amp_core/models.h"
#include "amp_core/torch_hooks/recompute.h"

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
/// **Threads.** The thread that calls initialize() has an engine of its own; two threads may train at different levels
/// in one process. A thread that never called it uses the process's engine where exactly one is alive, one thread at a
/// time; where several are alive, that is an Error. An engine ends with shutdown(); one whose thread ended lives on
/// until another thread calls initialize(), or, where other threads used it, until shutdown(). O1's casts are in force
/// on the thread that called initialize(); other threads that run forward passes call enable_casts_on_this_thread().
/// Make the first initialize() of the process before other threads run ops: it puts kernels into LibTorch.
///
/// Whatever is wrong is said in an amp::Error, and nothing has changed then.
namespace amp {

/// Sets models and optimizers up for a level, and prints the settings in force. Models are FP32 and on their device
/// before; models and optimizers may not be passed twice, nor models that are wrapped for data parallelism.
/// Optimizers update FP32 parameters; half ones too where cast_model_type is Unchanged, or where an earlier call made
/// their model half. The environment variable AMP_OPT_LEVEL forces the level. Models and optimizers must outlive their
/// use here, until shutdown(). May be called again on the same thread, at the same level, for further models and
/// optimizers. With `enabled` = false nothing is checked, printed or changed.
void initialize(const Models& models, const Optimizers& optimizers, const Options& options = {});

struct ScaleLossOptions {
  int loss_id = 0;  ///< which of `num_losses` scalers
  /// Gradients stay scaled and add up, until a call without it unscales them all. For all but the last of several
  /// backward passes before a step; saves time, and lets gradients of half parameters add up in half.
  bool delay_unscale = false;
  /// The scale is not updated by this call. An overflow is not forgotten (in Apex it is): the optimizers of this call
  /// skip their next step, and the scale falls once for it, at the next call for this loss without the flag or at that
  /// step, whichever comes first. A clean pass is not counted.
  bool delay_overflow_check = false;
};

/// Scales the loss, calls `backward` with it, and leaves unscaled gradients behind: in the masters of half parameters,
/// in the parameters otherwise. Where a gradient is not finite and the scale is dynamic, the scale falls, the
/// gradients are dropped and the next step() of each of these optimizers is skipped; optimizers that are not passed
/// step all the same. `.grad` of a half parameter stays scaled: clip by master_params(). If `backward` throws,
/// gradients are as they were before the call, and nothing is counted.
///
/// For a gradient penalty, take gradients of the scaled loss inside `backward` with create_graph, divide them by
/// loss_scale(), and call backward on scaled loss plus penalty times loss_scale().
void scale_loss(const at::Tensor& loss, const Optimizers& optimizers,
                const std::function<void(const at::Tensor& scaled)>& backward, const ScaleLossOptions& options = {});

/// The optimizer's step with casts off, then masters are copied to the model; or none of it when a backward pass
/// overflowed, and a line that says so. Returns whether the optimizer stepped.
///
/// Where a Fused* optimizer runs on CUDA and no listener is there, the step is queued without waiting to learn whether
/// it will be skipped, and true is returned; the line then comes with the next scale_loss(), or whenever the scale is
/// asked for.
bool step(torch::optim::Optimizer& optimizer);

/// The optimizer's step with a closure, as torch::optim::LBFGS needs one; returns its loss. Refused where there are
/// masters, a dynamic scale or O1's casts: an optimizer that evaluates the closure several times in a step would use
/// gradients that nobody has unscaled or checked.
at::Tensor step(torch::optim::Optimizer& optimizer, const torch::optim::Optimizer::LossClosure& closure);

/// The parameters that the optimizer updates, FP32 masters where there are any, in order: what to clip.
std::vector<at::Tensor> master_params(const torch::optim::Optimizer& optimizer);

/// The scale of a loss now; 1 where amp is disabled.
double loss_scale(int loss_id = 0);

/// The settings in force. Throws before initialize().
const Properties& properties();

/// Forgets models, optimizers and scalers of the calling thread's engine, and ends casts on this thread. Models stay as
/// they are, and optimizers keep their masters.
void shutdown();

}  // namespace amp

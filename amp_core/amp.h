// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amp_core/base/models.h"
#include "amp_core/casts/casts.h"
#include "amp_core/casts/decorators.h"
#include "amp_core/casts/module_path.h"
#include "amp_core/casts/registration.h"
#include "amp_core/casts/scopes.h"
#include "amp_core/checkpoint/checkpoint.h"
#include "amp_core/emulation/half_on_cpu.h"
#include "amp_core/engine/forward.h"
#include "amp_core/engine/initialize.h"
#include "amp_core/engine/scale_loss.h"
#include "amp_core/engine/step.h"
#include "amp_core/levels/properties.h"
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
/// in one process. If the process has exactly one engine, threads without an engine of their own share it, one thread
/// at a time; if it has several, their calls throw Error. An engine ends with shutdown(). If the thread that owns an
/// engine ends first, the engine stays until another thread calls initialize() or, if other threads used the engine,
/// until shutdown(). O1's casts are in force on the thread that called initialize(); other threads that run forward
/// passes call enable_casts_on_this_thread(). Call initialize() for the first time before other threads run ops, since
/// it registers kernels in LibTorch.
///
/// **Errors.** Wrong use throws amp::Error with a sentence that says what to do instead. A call that throws has no
/// effect.
namespace amp {}

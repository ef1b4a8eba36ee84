// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amp_core/base/models.h"
#include "amp_core/levels/properties.h"

namespace amp {

/// Sets models and optimizers up for a level, in place, and prints the settings in force.
///
/// A model must be FP32 and on its device, and not yet wrapped for data parallelism. No model and no optimizer may be
/// passed twice. An optimizer's parameters must be FP32; half ones are accepted if cast_model_type is Unchanged, or if
/// an earlier call made their model half. The engine owns neither models nor optimizers: they must exist until
/// shutdown() or forget().
///
/// The environment variable AMP_OPT_LEVEL forces the level, AMP_TYPE its reduced type, AMP_INIT_SCALE the first loss
/// scale. May be called again on the same thread, at the same level, for further models and optimizers. With `enabled`
/// = false the call checks, prints and changes nothing; it throws Error if optimizers are set up already.
///
/// Throws Error for options that contradict each other, and for models or optimizers that break these rules; a call
/// that throws has no effect.
void initialize(const Models& models, const Optimizers& optimizers, const Options& options = {});

/// Removes an optimizer from the calling thread's engine. Call it before the optimizer is destroyed. Other engines are
/// unchanged.
void forget(const torch::optim::Optimizer& optimizer) noexcept;

/// Returns the settings in force. Throws Error before initialize().
const Properties& properties();

/// Ends the calling thread's engine, with its scalers, and casts on this thread. Models keep their types, and
/// optimizers keep their masters.
void shutdown();

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amp_core/base/models.h"
#include "amp_core/levels/properties.h"

namespace amp {

/// Sets models and optimizers up for a level, and prints the settings in force. Models are FP32 and on their device
/// before; models and optimizers may not be passed twice, nor models that are wrapped for data parallelism.
/// Optimizers update FP32 parameters; half ones too where cast_model_type is Unchanged, or where an earlier call made
/// their model half. The environment variable AMP_OPT_LEVEL forces the level, AMP_TYPE its reduced type, AMP_INIT_SCALE
/// the first loss scale. Models and optimizers must outlive their use here, until shutdown(). May be called again on
/// the same thread, at the same level, for further models and optimizers. With `enabled` = false nothing is checked,
/// printed or changed; refused where optimizers are set up already.
void initialize(const Models& models, const Optimizers& optimizers, const Options& options = {});

/// Forgets an optimizer that is about to die, where the calling thread's engine knows it. An engine of several that
/// this thread does not use is left alone.
void forget(const torch::optim::Optimizer& optimizer) noexcept;

/// Returns the settings in force. Throws Error before initialize().
const Properties& properties();

/// Forgets models, optimizers and scalers of the calling thread's engine, and ends casts on this thread. Models stay as
/// they are, and optimizers keep their masters.
void shutdown();

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amp_core/base/models.h"
#include "amp_core/levels/properties.h"

namespace amp {

/// Sets up models and optimizers for a level and prints the settings in force. Before the call, models must be FP32 and
/// on their device. Do not pass a model or optimizer twice, nor a model that is wrapped for data parallelism.
/// Optimizers update FP32 parameters; half ones are allowed if cast_model_type is Unchanged or if an earlier call made
/// their model half. Environment variables force settings: AMP_OPT_LEVEL the level, AMP_TYPE its reduced type,
/// AMP_INIT_SCALE the first loss scale. Models and optimizers must outlive their use here, until shutdown(). It may be
/// called again on the same thread, at the same level, for further models and optimizers. With `enabled` = false
/// nothing is checked, printed or changed; this is refused if optimizers are set up already.
void initialize(const Models& models, const Optimizers& optimizers, const Options& options = {});

/// Forgets an optimizer before its destruction if the calling thread's engine knows it. Leaves other
/// engines alone.
void forget(const torch::optim::Optimizer& optimizer) noexcept;

/// Returns the settings in force. Throws Error before initialize().
const Properties& properties();

/// Forgets models, optimizers and scalers of the calling thread's engine and ends casts on this thread. Models stay
/// unchanged, and optimizers keep their masters.
void shutdown();

}  // namespace amp

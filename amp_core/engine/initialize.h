// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amp_core/base/models.h"
#include "amp_core/levels/properties.h"

namespace amp {

/// Sets models and optimizers up for a level, in place, and prints the settings in force.
///
/// A model must be FP32 and on its device, and not yet wrapped for data parallelism. No model and no optimizer may be
/// passed twice. An optimizer updates FP32 parameters; half ones too if cast_model_type is Unchanged, or if an earlier
/// call made their model half. The engine owns neither models nor optimizers: they must outlive their use here, until
/// shutdown().
///
/// The environment variable AMP_OPT_LEVEL forces the level, AMP_TYPE its reduced type, AMP_INIT_SCALE the first loss
/// scale. May be called again on the same thread, at the same level, for further models and optimizers. With `enabled`
/// = false it checks, prints and changes nothing; that is refused if optimizers are set up already.
///
/// Throws Error for options that do not go together and for models or optimizers that do not fit; nothing has changed
/// then.
void initialize(const Models& models, const Optimizers& optimizers, const Options& options = {});

/// Forgets an optimizer before its destruction if the calling thread's engine knows it. Leaves other
/// engines alone.
void forget(const torch::optim::Optimizer& optimizer) noexcept;

/// Returns the settings in force. Throws Error before initialize().
const Properties& properties();

/// Forgets models, optimizers and scalers of the calling thread's engine, and ends casts on this thread. A model stays
/// as it is, and an optimizer keeps its masters.
void shutdown();

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "amp_core/engine/optimizer_state.h"

namespace amp {

/// A gradient that one backward pass made.
struct PassGradient {
  at::Tensor parameter;  ///< the model's
  at::Tensor updated;    ///< what the optimizer updates: the parameter, or its master
  at::Tensor scaled;     ///< as backward made it; for a parameter without master it is unscaled in place
  at::Tensor unscaled;
};

/// Sets the gradients of earlier passes aside, so that the pass to come makes new ones.
void stash_gradients(OptimizerState& state);

/// Undoes stash_gradients(); gradients made since are dropped.
void restore_gradients(OptimizerState& state);

/// The gradients of the pass, not unscaled yet.
std::vector<PassGradient> gradients_of_pass(const OptimizerState& state);

/// Divides by the scale, one kernel a device and type. Returns whether a NaN or inf was among them.
bool unscale(std::vector<PassGradient>& gradients, double scale);

/// Adds the unscaled gradients to those set aside, or to the masters'.
void merge_gradients(OptimizerState& state, const std::vector<PassGradient>& gradients);

/// Leaves every parameter of the optimizer, master or not, without gradient: LibTorch's optimizers pass over those.
void drop_gradients(OptimizerState& state);

}  // namespace amp

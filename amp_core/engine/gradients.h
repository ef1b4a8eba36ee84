// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "amp_core/engine/optimizer_state.h"
#include "amp_core/engine/overflow_flag.h"

namespace amp {

/// A gradient that one backward pass made. A sparse gradient is coalesced if its parameter has no master: the sum of a
/// repeated index may overflow although its terms do not.
struct PassGradient {
  at::Tensor parameter;    ///< the model's parameter
  at::Tensor updated;      ///< the tensor that the optimizer updates: the parameter or its master
  at::Tensor scaled;       ///< backward's gradient; unscaled in place if the parameter has no master
  at::Tensor unscaled;     ///< with a master: an FP32 copy, coalesced if sparse; else `scaled` itself
  at::Tensor flat_buffer;  ///< if `unscaled` is a dense FP32 copy: the buffer that it is in; else undefined
};

/// Returns the gradient itself, or the values of a sparse gradient.
at::Tensor values_of(const at::Tensor& gradient);

/// Tells whether the layout is supported: dense or COO.
bool has_supported_layout(const at::Tensor& gradient);

/// Throws Error, naming the parameter, if the pass made a gradient of an unsupported layout. Changes nothing.
void check_layouts(const OptimizerState& state);

/// Moves the gradients of earlier passes to `state.stash`, so that the next pass makes new ones.
void stash_gradients(OptimizerState& state);

/// Undoes stash_gradients(), and drops the gradients made since then.
void restore_gradients(OptimizerState& state);

/// Returns the gradients of the pass, not unscaled yet: the parameters' own tensors if these are dense or coalesced.
/// Gradients for masters are copied to FP32; the dense ones need one buffer and one call per device and type.
/// Unsupported layouts are left out.
std::vector<PassGradient> gradients_of_pass(const OptimizerState& state);

/// Multiplies the gradients of the model's parameters by a factor, in place.
void rescale_gradients(const OptimizerState& state, double factor);

/// Tests the gradients made by backward for NaN and inf, with one result per device. Changes nothing, and reads nothing
/// back to the host.
OverflowFlag nonfinite_among(const std::vector<PassGradient>& gradients);

/// Divides the gradients by the scale, with one kernel per device and type, and tests them for NaN and inf. Reads
/// nothing back to the host.
OverflowFlag unscale(std::vector<PassGradient>& gradients, double scale);

/// Adds the unscaled gradients to the stashed gradients, or to the masters' gradients.
void merge_gradients(OptimizerState& state, const std::vector<PassGradient>& gradients);

/// Removes the gradients of all parameters of the optimizer and of their masters: LibTorch's optimizers skip parameters
/// without a gradient.
void drop_gradients(OptimizerState& state);

}  // namespace amp

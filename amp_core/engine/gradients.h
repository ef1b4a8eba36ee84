// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "amp_core/engine/optimizer_state.h"
#include "amp_core/engine/overflow_flag.h"

namespace amp {

/// A gradient that one backward pass made. Sparse ones without master are coalesced: of an index that occurs twice, the
/// sum may overflow where its terms do not.
struct PassGradient {
  at::Tensor parameter;    ///< the model's
  at::Tensor updated;      ///< what the optimizer updates: the parameter, or its master
  at::Tensor scaled;       ///< as backward made it; for a parameter without master it is unscaled in place
  at::Tensor unscaled;     ///< for a master, FP32, and coalesced if sparse
  at::Tensor flat_buffer;  ///< of a master's dense gradient: what `unscaled` is a part of; undefined otherwise
};

/// Where the numbers of a gradient are: the gradient itself, or the values of a sparse one.
at::Tensor values_of(const at::Tensor& gradient);

/// Whether gradients of this layout are known here: dense, and sparse in coordinates.
bool has_known_layout(const at::Tensor& gradient);

/// Throws Error, naming the parameter, where the pass made a gradient of a layout that is not known. Changes nothing.
void check_layouts(const OptimizerState& state);

/// Sets the gradients of earlier passes aside, so that the pass to come makes new ones.
void stash_gradients(OptimizerState& state);

/// Undoes stash_gradients(); gradients made since are dropped.
void restore_gradients(OptimizerState& state);

/// The gradients of the pass, not unscaled yet, the parameters' own where those are dense or coalesced. Those of
/// masters are copied to FP32, one buffer and one call a device for the dense ones. Layouts that are not known are left
/// out.
std::vector<PassGradient> gradients_of_pass(const OptimizerState& state);

/// Multiplies the gradients of the model's parameters by a factor, in place.
void rescale_gradients(const OptimizerState& state, double factor);

/// Says where a NaN or inf is among the gradients as backward made them, one answer a device. Changes nothing, and
/// reads nothing back.
OverflowFlag nonfinite_among(const std::vector<PassGradient>& gradients);

/// Divides by the scale, one kernel a device and type, and says where a NaN or inf was among them. Reads nothing back.
OverflowFlag unscale(std::vector<PassGradient>& gradients, double scale);

/// Adds the unscaled gradients to those set aside, or to the masters'.
void merge_gradients(OptimizerState& state, const std::vector<PassGradient>& gradients);

/// Leaves every parameter of the optimizer, master or not, without gradient: LibTorch's optimizers pass over those.
void drop_gradients(OptimizerState& state);

}  // namespace amp

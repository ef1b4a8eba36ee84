// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>

#include <vector>

#include "amp_core/engine/optimizer_state.h"

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

/// Whether a NaN or inf was found, kept on the devices where it was looked for until someone asks.
class OverflowFlag {
 public:
  /// The flag of a device, one FP32 element for kernels to raise; zero at first.
  at::Tensor& on(at::Device device);

  bool is_on_cuda() const;
  const std::vector<at::Tensor>& of_each_device() const { return flags_; }

  /// All flags as one FP32 element on a device of theirs, 1 or 0, without a word to the host: what
  /// SkipsOnDevice::skip_if() takes. A tensor of its own.
  at::Tensor collected() const;

  /// Queues copies to the host. is_set() then waits for these alone, not for what is queued after them.
  void start_reading();

  /// Reads the flags: waits once for each device.
  bool is_set() const;

 private:
  struct Copy {
    at::Tensor on_host;  ///< pinned
    c10::Event arrived;
  };

  std::vector<at::Tensor> flags_;  ///< one a device
  std::vector<Copy> copies_;       ///< of all of them, or none
};

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

/// Says where a NaN or inf is among the gradients as backward made them, one answer a device. Changes nothing, and reads
/// nothing back.
OverflowFlag nonfinite_among(const std::vector<PassGradient>& gradients);

/// Divides by the scale, one kernel a device and type, and says where a NaN or inf was among them. Reads nothing back.
OverflowFlag unscale(std::vector<PassGradient>& gradients, double scale);

/// Adds the unscaled gradients to those set aside, or to the masters'.
void merge_gradients(OptimizerState& state, const std::vector<PassGradient>& gradients);

/// Leaves every parameter of the optimizer, master or not, without gradient: LibTorch's optimizers pass over those.
void drop_gradients(OptimizerState& state);

}  // namespace amp

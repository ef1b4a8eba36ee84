// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/intrusive_ptr.h>

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "amp_core/parallel/batch_norm_steps.h"

namespace amp::parallel {

/// Settings of one call of synchronized_norm().
struct NormSettings {
  AffineParameters affine;
  RunningStatistics running;
  double eps = 1e-5;
  bool fuse_relu = false;
  c10::intrusive_ptr<c10d::ProcessGroup> group;  ///< not null
};

/// Returns batch norm of an input (N, C, ...) with the statistics of the inputs that all ranks of a group pass at the
/// same time, plus `addend` (undefined, or of the input's shape). With `fuse_relu`, applies ReLU to the sum.
///
/// All ranks, also ranks without values, call this function in the same order, and run its backward in the same order.
/// Backward has no collective if the input needs no gradient. N may differ between ranks. Gradients of weight and bias
/// come from the rank's own values. Throws Error for a second derivative. If all ranks together have fewer than two
/// values per channel, every rank throws Error.
at::Tensor synchronized_norm(const at::Tensor& input, const at::Tensor& addend, const NormSettings& settings);

}  // namespace amp::parallel

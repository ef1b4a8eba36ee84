// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <vector>

#include "amp_core/base/models.h"
#include "amp_core/engine/replicas.h"

namespace amp::parallel {

/// Calls a collective once for all tensors of a device and type, side by side in one buffer, and copies the results
/// back into the tensors.
///
///     flat_dist_call(gradients, [&](at::Tensor& flat) { sum_over_ranks(group, flat); });
void flat_dist_call(const std::vector<at::Tensor>& tensors, const std::function<void(at::Tensor& flat)>& call);

/// Averages the gradients of a model over the ranks when reduce() is called, for programs that choose the moment.
///
/// All ranks begin with the parameters of rank 0. Call reduce() on all ranks after the last backward of a step: within
/// the function that scale_loss() calls or, with a static scale, anywhere before the step. scale_loss() makes all ranks
/// skip a step if one overflows.
class Reducer {
 public:
  /// If `group` is null, default_group() is used.
  explicit Reducer(const ModelRef& model, c10::intrusive_ptr<c10d::ProcessGroup> group = nullptr);

  /// Replaces each gradient by the mean over all ranks. Every rank must have dense gradients for the same parameters.
  void reduce();

 private:
  class Copies;
  std::shared_ptr<Copies> copies_;
};

}  // namespace amp::parallel

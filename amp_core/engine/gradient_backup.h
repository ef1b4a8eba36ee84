// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "amp_core/engine/optimizer_state.h"

namespace amp {

/// The gradients of a model's parameters as they are now, to go back to if a backward pass that adds to them throws.
///
/// Copies what is there: nothing, in the usual loop that begins with zero_grad().
class GradientBackup {
 public:
  explicit GradientBackup(const std::vector<OptimizerState*>& states);

  /// Gradients made since are dropped; those that were there keep their tensors and get their values back.
  void restore() const;

 private:
  struct Saved {
    at::Tensor parameter;
    at::Tensor gradient;  ///< undefined where there was none
    at::Tensor values;
  };

  std::vector<Saved> saved_;
};

}  // namespace amp

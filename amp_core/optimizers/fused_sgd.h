// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/arg.h>

#include "amp_core/optimizers/fields.h"
#include "amp_core/optimizers/fused_optimizer.h"

namespace amp {

/// Holds the options of FusedSGD. There is no default learning rate.
struct FusedSGDOptions : FusedOptions<FusedSGDOptions> {
  FusedSGDOptions(double lr) : lr_(lr) {}  // NOLINT(google-explicit-constructor)

  TORCH_ARG(double, lr);
  TORCH_ARG(double, momentum) = 0;
  TORCH_ARG(double, dampening) = 0;  ///< lowers a gradient's weight in the momentum, but not in the first step
  TORCH_ARG(double, weight_decay) = 0;
  TORCH_ARG(bool, nesterov) = false;
  TORCH_ARG(bool, wd_after_momentum) = false;  ///< weight decay is not part of the momentum

 public:
  /// Throws Error for an option out of its range.
  void check() const;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit visit) {
    visit("lr", self.lr_);
    visit("momentum", self.momentum_);
    visit("dampening", self.dampening_);
    visit("weight_decay", self.weight_decay_);
    visit("nesterov", self.nesterov_);
    visit("wd_after_momentum", self.wd_after_momentum_);
  }
};

/// State of one parameter: its momentum, zeros before the first step, FP32 for half parameters.
struct FusedSGDParamState : FusedParamState<FusedSGDParamState> {
  TORCH_ARG(at::Tensor, step);
  TORCH_ARG(at::Tensor, momentum_buffer);

 public:
  /// Returns the initial state of a parameter: zeros on the device of `updated`, the parameter or its copy.
  static FusedSGDParamState before_first_step(const at::Tensor& updated);

  template <class Self, class Visit>
  static void each_field(Self& self, Visit visit) {
    visit("step", self.step_);
    visit("momentum_buffer", self.momentum_buffer_);
  }
};

/// Stochastic gradient descent with one kernel call per parameter group, device and type. A drop-in for
/// torch::optim::SGD. The first step of a parameter sets its momentum to its gradient, even if the optimizer has
/// stepped before; a skipped step does not count.
class FusedSGD : public FusedOptimizerOf<FusedSGDOptions, FusedSGDParamState> {
 public:
  using FusedOptimizerOf::FusedOptimizerOf;

 private:
  void update(const FusedSGDOptions& options, Bucket& bucket) override;
};

}  // namespace amp

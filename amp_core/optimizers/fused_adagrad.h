// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/arg.h>

#include "amp_core/optimizers/fields.h"
#include "amp_core/optimizers/fused_optimizer.h"

namespace amp {

/// Holds the options of FusedAdagrad. Defaults are Apex's.
struct FusedAdagradOptions : FusedOptions<FusedAdagradOptions> {
  FusedAdagradOptions(double lr = 1e-2) : lr_(lr) {}  // NOLINT(google-explicit-constructor)

  TORCH_ARG(double, lr);
  TORCH_ARG(double, eps) = 1e-10;
  TORCH_ARG(double, weight_decay) = 0;
  TORCH_ARG(bool, adagrad_w_mode) = false;  ///< true: weight decay is decoupled from the gradient, as in AdamW

 public:
  /// Throws Error for an option out of its range.
  void check() const;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit visit) {
    visit("lr", self.lr_);
    visit("eps", self.eps_);
    visit("weight_decay", self.weight_decay_);
    visit("adagrad_w_mode", self.adagrad_w_mode_);
  }
};

/// State of one parameter: the sum of squared gradients, FP32 for half parameters.
struct FusedAdagradParamState : FusedParamState<FusedAdagradParamState> {
  TORCH_ARG(at::Tensor, step);
  TORCH_ARG(at::Tensor, sum);

 public:
  /// Returns the initial state of a parameter: zeros on the device of `updated`, the parameter or its copy.
  static FusedAdagradParamState before_first_step(const at::Tensor& updated);

  template <class Self, class Visit>
  static void each_field(Self& self, Visit visit) {
    visit("step", self.step_);
    visit("sum", self.sum_);
  }
};

/// Adagrad (Duchi, Hazan and Singer 2011) with one kernel call per parameter group, device and type. A drop-in for
/// torch::optim::Adagrad without learning rate decay.
class FusedAdagrad : public FusedOptimizerOf<FusedAdagradOptions, FusedAdagradParamState> {
 public:
  using FusedOptimizerOf::FusedOptimizerOf;

 private:
  void update(const FusedAdagradOptions& options, Bucket& bucket) override;
};

}  // namespace amp

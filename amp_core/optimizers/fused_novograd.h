// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/arg.h>

#include <tuple>

#include "amp_core/optimizers/fields.h"
#include "amp_core/optimizers/fused_optimizer.h"

namespace amp {

/// Holds the options of FusedNovoGrad. Defaults are Apex's.
struct FusedNovoGradOptions : FusedOptions<FusedNovoGradOptions> {
  FusedNovoGradOptions(double lr = 1e-3) : lr_(lr) {}  // NOLINT(google-explicit-constructor)

  using Betas = std::tuple<double, double>;
  TORCH_ARG(double, lr);
  TORCH_ARG(Betas, betas) = {0.9, 0.999};
  TORCH_ARG(double, eps) = 1e-8;
  TORCH_ARG(double, weight_decay) = 0;
  TORCH_ARG(std::int64_t, norm_type) = 2;  ///< order of the gradient norm: 2, or 0 for the maximum norm
  TORCH_ARG(bool, init_zero) = false;      ///< the running norm starts at zero, not at the first norm
  TORCH_ARG(bool,
            reg_inside_moment) = false;    ///< normalized gradient and weight decay enter the moment, as in the paper
  TORCH_ARG(bool, grad_averaging) = true;  ///< gradients enter the moment with weight 1 - beta1, not 1
  TORCH_ARG(bool, bias_correction) = true;

 public:
  /// Throws Error for an option out of its range.
  void check() const;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit visit) {
    visit("lr", self.lr_);
    visit("betas", self.betas_);
    visit("eps", self.eps_);
    visit("weight_decay", self.weight_decay_);
    visit("norm_type", self.norm_type_);
    visit("init_zero", self.init_zero_);
    visit("reg_inside_moment", self.reg_inside_moment_);
    visit("grad_averaging", self.grad_averaging_);
    visit("bias_correction", self.bias_correction_);
  }
};

/// State of one parameter: the first moment, FP32 for half parameters, and a norm.
struct FusedNovoGradParamState : FusedParamState<FusedNovoGradParamState> {
  TORCH_ARG(at::Tensor, step);
  TORCH_ARG(at::Tensor, exp_avg);
  TORCH_ARG(at::Tensor, norm);  ///< running norm of the gradient; zero-dimensional

 public:
  /// Returns the initial state of a parameter: zeros on the device of `updated`, the parameter or its copy.
  static FusedNovoGradParamState before_first_step(const at::Tensor& updated);

  template <class Self, class Visit>
  static void each_field(Self& self, Visit visit) {
    visit("step", self.step_);
    visit("exp_avg", self.exp_avg_);
    visit("norm", self.norm_);
  }
};

/// NovoGrad (Ginsburg et al. 2019): the second moment is one number per parameter, a running norm of its gradient.
class FusedNovoGrad : public FusedOptimizerOf<FusedNovoGradOptions, FusedNovoGradParamState> {
 public:
  using FusedOptimizerOf::FusedOptimizerOf;

 private:
  void update(const FusedNovoGradOptions& options, Bucket& bucket) override;
};

}  // namespace amp

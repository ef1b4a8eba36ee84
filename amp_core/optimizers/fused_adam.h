// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/arg.h>

#include <tuple>
#include <vector>

#include "amp_core/optimizers/fields.h"
#include "amp_core/optimizers/fused_optimizer.h"

namespace amp {

/// Holds the options of FusedAdam. Defaults are Apex's: weight decay is decoupled (AdamW) unless `adam_w_mode` is
/// false.
struct FusedAdamOptions : FusedOptions<FusedAdamOptions> {
  FusedAdamOptions(double lr = 1e-3) : lr_(lr) {}  // NOLINT(google-explicit-constructor)

  using Betas = std::tuple<double, double>;
  TORCH_ARG(double, lr);
  TORCH_ARG(Betas, betas) = {0.9, 0.999};
  TORCH_ARG(double, eps) = 1e-8;
  TORCH_ARG(double, weight_decay) = 0;
  TORCH_ARG(bool, adam_w_mode) = true;      ///< false: weight decay is added to the gradient (L2)
  TORCH_ARG(bool, bias_correction) = true;  ///< corrects the moments for their start at zero

 public:
  /// Throws Error for an option out of its range.
  void check() const;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit visit) {
    visit("lr", self.lr_);
    visit("betas", self.betas_);
    visit("eps", self.eps_);
    visit("weight_decay", self.weight_decay_);
    visit("adam_w_mode", self.adam_w_mode_);
    visit("bias_correction", self.bias_correction_);
  }
};

/// State of one parameter: both moments, FP32 for half parameters.
struct FusedAdamParamState : FusedParamState<FusedAdamParamState> {
  TORCH_ARG(at::Tensor, step);
  TORCH_ARG(at::Tensor, exp_avg);
  TORCH_ARG(at::Tensor, exp_avg_sq);

 public:
  /// Returns the initial state of a parameter: zeros on the device of `updated`, the parameter or its copy.
  static FusedAdamParamState before_first_step(const at::Tensor& updated);

  template <class Self, class Visit>
  static void each_field(Self& self, Visit visit) {
    visit("step", self.step_);
    visit("exp_avg", self.exp_avg_);
    visit("exp_avg_sq", self.exp_avg_sq_);
  }
};

/// Adam (Kingma and Ba 2015) and AdamW (Loshchilov and Hutter 2019) with one kernel call per parameter group, device
/// and type. A drop-in for torch::optim::Adam and AdamW, without amsgrad.
class FusedAdam : public FusedOptimizerOf<FusedAdamOptions, FusedAdamParamState> {
 public:
  using FusedOptimizerOf::FusedOptimizerOf;

 private:
  void update(const FusedAdamOptions& options, Bucket& bucket) override;
};

/// FusedAdam with the default weight decay of torch::optim::AdamW, 0.01.
class FusedAdamW : public FusedAdam {
 public:
  explicit FusedAdamW(const std::vector<torch::optim::OptimizerParamGroup>& groups,
                      FusedAdamOptions defaults = FusedAdamOptions().weight_decay(0.01))
      : FusedAdam(groups, std::move(defaults)) {}
  explicit FusedAdamW(std::vector<at::Tensor> parameters,
                      FusedAdamOptions defaults = FusedAdamOptions().weight_decay(0.01))
      : FusedAdam(std::move(parameters), std::move(defaults)) {}
};

}  // namespace amp

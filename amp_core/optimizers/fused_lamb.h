// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/arg.h>

#include <tuple>

#include "amp_core/optimizers/fields.h"
#include "amp_core/optimizers/fused_adam.h"
#include "amp_core/optimizers/fused_optimizer.h"

namespace amp {

/// Holds the options of FusedLAMB. Defaults are Apex's.
struct FusedLAMBOptions : FusedOptions<FusedLAMBOptions> {
  FusedLAMBOptions(double lr = 1e-3) : lr_(lr) {}  // NOLINT(google-explicit-constructor)

  using Betas = std::tuple<double, double>;
  TORCH_ARG(double, lr);
  TORCH_ARG(Betas, betas) = {0.9, 0.999};
  TORCH_ARG(double, eps) = 1e-6;
  TORCH_ARG(double, weight_decay) = 0.01;
  TORCH_ARG(double, max_grad_norm) = 1.0;   ///< clips the norm of all groups' gradients together; 0: no clipping
  TORCH_ARG(bool, adam_w_mode) = true;      ///< false: weight decay is added to the gradient (L2)
  TORCH_ARG(bool, grad_averaging) = true;   ///< gradients enter the first moment with weight 1 - beta1, not 1
  TORCH_ARG(bool, bias_correction) = true;  ///< corrects the moments for their start at zero
  TORCH_ARG(bool, use_nvlamb) = false;      ///< the trust ratio also applies without weight decay

 public:
  /// Throws Error for an option out of its range.
  void check() const;

  template <class Self, class Visit>
  static void each_field(Self& self, Visit visit) {
    visit("lr", self.lr_);
    visit("betas", self.betas_);
    visit("eps", self.eps_);
    visit("weight_decay", self.weight_decay_);
    visit("max_grad_norm", self.max_grad_norm_);
    visit("adam_w_mode", self.adam_w_mode_);
    visit("grad_averaging", self.grad_averaging_);
    visit("bias_correction", self.bias_correction_);
    visit("use_nvlamb", self.use_nvlamb_);
  }
};

/// LAMB has the same state as Adam.
using FusedLAMBParamState = FusedAdamParamState;

/// NVIDIA's variant of LAMB (You et al. 2020): gradients are clipped by their common norm, and each parameter's Adam
/// update is multiplied by the learning rate and, with weight decay, by the trust ratio |parameter| / |update|.
class FusedLAMB : public FusedOptimizerOf<FusedLAMBOptions, FusedLAMBParamState> {
 public:
  using FusedOptimizerOf::FusedOptimizerOf;

 private:
  void prepare(std::vector<Bucket>& buckets) override;
  void update(const FusedLAMBOptions& options, Bucket& bucket) override;

  at::Tensor grad_norm_;  ///< norm of all gradients in the current step
};

}  // namespace amp

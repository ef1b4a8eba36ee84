// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/optim/optimizer.h>

#include <memory>
#include <vector>

namespace amp {

/// Holds the options of LARC. Defaults are Apex's.
struct LARCOptions {
  double trust_coefficient = 0.02;
  bool clip = true;  ///< the adaptive rate is limited to the group's (LARC); false: the two are multiplied (LARS)
  double eps = 1e-8;
};

/// Adds weight decay to the gradients of one group's parameters and multiplies them by the factors of LARC, in place.
/// `lr` and `decay` are those of the group. LARC calls it before the inner optimizer steps. Throws Error for sparse
/// gradients.
void adapt_gradients(const std::vector<at::Tensor>& parameters, const LARCOptions& options, double lr, double decay);

/// Layer-wise adaptive rates (You, Gitman and Ginsburg 2017) around an inner optimizer. The adaptive rate of a
/// parameter is trust_coefficient * |p| / (|g| + weight_decay * |p| + eps). Before the inner optimizer steps, each
/// gradient is multiplied by min(rate / lr, 1), or by the rate without `clip`. Weight decay is added to the gradient
/// before that, and the inner optimizer applies none. Gradients are changed in place. A parameter that is zero, or has
/// a zero gradient, is left to the inner optimizer, without decay.
///
///     amp::LARC optimizer(std::make_unique<amp::FusedSGD>(model->parameters(), amp::FusedSGDOptions(0.1)));
///
/// This object owns parameter groups and state: pass it, not the inner optimizer, to schedulers, add_param_group() and
/// amp::initialize(). Works with the optimizers of LibTorch and amp_core that have a weight decay.
class LARC : public torch::optim::Optimizer {
 public:
  explicit LARC(std::unique_ptr<torch::optim::Optimizer> inner, const LARCOptions& options = {});

  /// Throws Error for a closure and for sparse gradients.
  at::Tensor step(LossClosure closure = nullptr) override;
  void save(torch::serialize::OutputArchive& archive) const override;
  void load(torch::serialize::InputArchive& archive) override;

 private:
  class Lent;

  std::unique_ptr<torch::optim::Optimizer> inner_;
  LARCOptions options_;
};

}  // namespace amp

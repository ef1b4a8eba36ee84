// SPDX-License-Identifier: Apache-2.0
#include "amp_core/optimizers/fused_lamb.h"

#include <ATen/Functions.h>

#include "amp_core/multi_tensor/multi_tensor.h"
#include "amp_core/optimizers/on_device.h"

namespace amp {
namespace {

using Tensors = std::vector<at::Tensor>;

/// Returns 1 - beta^steps for each parameter, in FP64: FP32 would lose digits to cancellation for a few thousand steps.
at::Tensor bias_corrections(const Tensors& steps, double beta) {
  return 1 - at::pow(beta, at::stack(steps).to(at::kDouble));
}

/// Splits `factors` into one factor per tensor, in the tensors' type.
Tensors factors_for(const Tensors& tensors, const at::Tensor& factors) {
  return factors.to(tensors.front().scalar_type()).unbind();
}

/// Returns the Adam updates without learning rate: first moments divided by the square roots of second moments plus
/// eps, bias-corrected if so set, plus decoupled weight decay.
Tensors adam_updates(const FusedLAMBOptions& options, Bucket& bucket, const Tensors& averages, const Tensors& squares) {
  const auto [beta1, beta2] = options.betas();
  auto roots = at::_foreach_sqrt(squares);
  auto updates = averages;
  if (options.bias_correction()) {
    const Tensors steps = bucket.tensors(&FusedLAMBParamState::step);
    at::_foreach_div_(roots, factors_for(roots, bias_corrections(steps, beta2).sqrt()));
    updates = at::_foreach_div(averages, factors_for(averages, bias_corrections(steps, beta1)));
  }
  at::_foreach_add_(roots, options.eps());
  updates = at::_foreach_div(updates, roots);
  if (options.adam_w_mode() && options.weight_decay() != 0) {
    at::_foreach_add_(updates, bucket.parameters, options.weight_decay());
  }
  return updates;
}

/// Returns the learning rate of each parameter: `lr` times the trust ratio |parameter| / |update|.
at::Tensor layer_learning_rates(const FusedLAMBOptions& options, const Tensors& parameters, const Tensors& updates) {
  const at::Tensor size = multi_tensor::l2norm(parameters).per_tensor;
  const at::Tensor change = multi_tensor::l2norm(updates).per_tensor;
  const at::Tensor ratio = at::where(size.ne(0).logical_and(change.ne(0)), size / change, at::ones_like(size));
  return ratio * options.lr();
}

}  // namespace

void FusedLAMBOptions::check() const {
  check_not_negative({{"lr", lr_}, {"eps", eps_}, {"weight_decay", weight_decay_}, {"max_grad_norm", max_grad_norm_}});
  check_betas(betas_);
}

void FusedLAMB::prepare(std::vector<Bucket>& buckets) {
  Tensors gradients;
  for (Bucket& bucket : buckets) {
    bucket.unscale();
    gradients.insert(gradients.end(), bucket.gradients.begin(), bucket.gradients.end());
  }
  grad_norm_ = gradients.empty() ? at::Tensor() : multi_tensor::l2norm(gradients).global;
}

void FusedLAMB::update(const FusedLAMBOptions& options, Bucket& bucket) {
  const auto [beta1, beta2] = options.betas();
  Tensors gradients = bucket.gradients;
  if (options.max_grad_norm() != 0) {
    const at::Tensor excess = (grad_norm_ / options.max_grad_norm()).clamp_min(1);
    gradients = at::_foreach_div(gradients, excess.to(gradients.front().options(), /*non_blocking=*/true));
  }
  if (!options.adam_w_mode() && options.weight_decay() != 0) {
    gradients = at::_foreach_add(gradients, bucket.parameters, options.weight_decay());
  }
  const Tensors averages = bucket.tensors(&FusedLAMBParamState::exp_avg);
  const Tensors squares = bucket.tensors(&FusedLAMBParamState::exp_avg_sq);
  average_unless(bucket.found_inf, averages, gradients, beta1, options.grad_averaging() ? 1 - beta1 : 1.0);
  average_unless(bucket.found_inf, squares, at::_foreach_mul(gradients, gradients), beta2, 1 - beta2);
  bucket.count_step(bucket.tensors(&FusedLAMBParamState::step));

  Tensors updates = adam_updates(options, bucket, averages, squares);
  if (options.weight_decay() != 0 || options.use_nvlamb()) {
    at::_foreach_mul_(updates, factors_for(updates, layer_learning_rates(options, bucket.parameters, updates)));
  } else {
    at::_foreach_mul_(updates, options.lr());
  }
  subtract_unless(bucket.found_inf, bucket.parameters, updates);
}

}  // namespace amp

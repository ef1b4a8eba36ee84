// SPDX-License-Identifier: Apache-2.0
#include "amp_core/optimizers/fused_novograd.h"

#include <ATen/Functions.h>

#include <limits>

#include "amp_core/optimizers/on_device.h"

namespace amp {
namespace {

using Tensors = std::vector<at::Tensor>;

/// Returns the running gradient norms after this step, one element per parameter.
at::Tensor running_norms(const FusedNovoGradOptions& options, Bucket& bucket, const at::Tensor& steps) {
  const double beta2 = std::get<1>(options.betas());
  const bool is_euclidean = options.norm_type() == 2;
  const double order = is_euclidean ? 2 : std::numeric_limits<double>::infinity();
  const at::Tensor now = at::stack(at::_foreach_norm(bucket.gradients, order));
  const at::Tensor kept = at::stack(bucket.tensors(&FusedNovoGradParamState::norm));
  const at::Tensor before = options.init_zero() ? kept : at::where(steps.eq(0), now, kept);
  if (!is_euclidean) return beta2 * before + (1 - beta2) * now;
  return (beta2 * before.square() + (1 - beta2) * now.square()).sqrt();
}

void store_norms_unless(const FoundInf& found_inf, Tensors kept, const at::Tensor& values) {
  const at::Tensor old = at::stack(kept);
  at::_foreach_copy_(kept, (found_inf ? at::where(found_inf->ne(0), old, values) : values).unbind());
}

/// Returns 1 - beta^step for each parameter; 1 without bias correction.
at::Tensor correction(const FusedNovoGradOptions& options, const at::Tensor& steps, double beta) {
  if (!options.bias_correction()) return at::ones_like(steps, at::kDouble);
  return 1 - at::pow(beta, steps.to(at::kDouble));
}

}  // namespace

void FusedNovoGradOptions::check() const {
  check_not_negative({{"lr", lr_}, {"eps", eps_}, {"weight_decay", weight_decay_}});
  check_option(norm_type_ == 2 || norm_type_ == 0, "norm_type must be 2, or 0 for the maximum norm");
  check_betas(betas_);
}

FusedNovoGradParamState FusedNovoGradParamState::before_first_step(const at::Tensor& updated) {
  FusedNovoGradParamState state;
  state.step(zero_steps(updated));
  state.exp_avg(at::zeros_like(updated));
  state.norm(at::zeros({}, updated.options()));
  return state;
}

void FusedNovoGrad::update(const FusedNovoGradOptions& options, Bucket& bucket) {
  const auto [beta1, beta2] = options.betas();
  const auto type = bucket.parameters.front().scalar_type();
  bucket.unscale();
  const Tensors steps = bucket.tensors(&FusedNovoGradParamState::step);
  const Tensors averages = bucket.tensors(&FusedNovoGradParamState::exp_avg);
  const at::Tensor norms = running_norms(options, bucket, at::stack(steps));
  store_norms_unless(bucket.found_inf, bucket.tensors(&FusedNovoGradParamState::norm), norms);
  bucket.count_step(steps);

  const at::Tensor counts = at::stack(steps);
  const Tensors divisors = (norms / correction(options, counts, beta2).sqrt() + options.eps()).to(type).unbind();
  const Tensors rates = (options.lr() / correction(options, counts, beta1)).to(type).unbind();
  const double weight = options.grad_averaging() ? 1 - beta1 : 1.0;
  Tensors updates = bucket.gradients;
  if (options.reg_inside_moment()) {
    updates = at::_foreach_div(updates, divisors);
    at::_foreach_add_(updates, bucket.parameters, options.weight_decay());
    average_unless(bucket.found_inf, averages, updates, beta1, weight);
    updates = at::_foreach_mul(averages, rates);
  } else {
    average_unless(bucket.found_inf, averages, updates, beta1, weight);
    updates = at::_foreach_mul(averages, rates);
    at::_foreach_div_(updates, divisors);
    at::_foreach_add_(updates, bucket.parameters, options.lr() * options.weight_decay());
  }
  subtract_unless(bucket.found_inf, bucket.parameters, updates);
}

}  // namespace amp

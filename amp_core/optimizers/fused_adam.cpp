// SPDX-License-Identifier: Apache-2.0
#include "amp_core/optimizers/fused_adam.h"

#include <ATen/Functions.h>

namespace amp {
namespace {

/// A step count so large that 1 - beta^steps is 1, which disables bias correction in the kernel.
constexpr float kEndlessSteps = 1e15F;

}  // namespace

void FusedAdamOptions::check() const {
  check_not_negative({{"lr", lr_}, {"eps", eps_}, {"weight_decay", weight_decay_}});
  check_betas(betas_);
}

FusedAdamParamState FusedAdamParamState::before_first_step(const at::Tensor& updated) {
  FusedAdamParamState state;
  state.step(zero_steps(updated));
  state.exp_avg(at::zeros_like(updated));
  state.exp_avg_sq(at::zeros_like(updated));
  return state;
}

void FusedAdam::update(const FusedAdamOptions& options, Bucket& bucket) {
  auto steps = bucket.tensors(&FusedAdamParamState::step);
  const auto exp_avgs = bucket.tensors(&FusedAdamParamState::exp_avg);
  const auto exp_avg_sqs = bucket.tensors(&FusedAdamParamState::exp_avg_sq);
  bucket.count_step(steps);
  if (!options.bias_correction()) steps.assign(steps.size(), at::full({}, kEndlessSteps, bucket.scalar_options()));
  const auto [beta1, beta2] = options.betas();
  const auto run = [&](auto kernel) {
    kernel(bucket.parameters, bucket.gradients, exp_avgs, exp_avg_sqs, at::TensorList(), steps, options.lr(), beta1,
           beta2, options.weight_decay(), options.eps(), /*amsgrad=*/false, /*maximize=*/false, bucket.grad_scale,
           bucket.found_inf);
  };
  if (options.adam_w_mode()) {
    run([](const auto&... arguments) { at::_fused_adamw_(arguments...); });
  } else {
    run([](const auto&... arguments) { at::_fused_adam_(arguments...); });
  }
}

}  // namespace amp

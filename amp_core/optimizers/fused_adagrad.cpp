// SPDX-License-Identifier: Apache-2.0
#include "amp_core/optimizers/fused_adagrad.h"

#include <ATen/Functions.h>

#include "amp_core/optimizers/on_device.h"

namespace amp {

void FusedAdagradOptions::check() const {
  check_not_negative({{"lr", lr_}, {"eps", eps_}, {"weight_decay", weight_decay_}});
}

FusedAdagradParamState FusedAdagradParamState::before_first_step(const at::Tensor& updated) {
  FusedAdagradParamState state;
  state.step(zero_steps(updated));
  state.sum(at::zeros_like(updated));
  return state;
}

void FusedAdagrad::update(const FusedAdagradOptions& options, Bucket& bucket) {
  double weight_decay = options.weight_decay();
  if (options.adagrad_w_mode()) {
    decay_unless(bucket.found_inf, bucket.parameters, options.lr() * weight_decay);
    weight_decay = 0;
  }
  const auto steps = bucket.tensors(&FusedAdagradParamState::step);
  bucket.count_step(steps);
  at::_fused_adagrad_(bucket.parameters, bucket.gradients, bucket.tensors(&FusedAdagradParamState::sum), steps,
                      options.lr(), /*lr_decay=*/0.0, weight_decay, options.eps(), /*maximize=*/false,
                      bucket.grad_scale, bucket.found_inf);
}

}  // namespace amp

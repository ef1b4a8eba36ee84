// SPDX-License-Identifier: Apache-2.0
#include "amp_core/optimizers/fused_sgd.h"

#include <ATen/Functions.h>

#include "amp_core/optimizers/on_device.h"

namespace amp {
namespace {

/// Multiplies the gradients of parameters that have stepped before by 1 - dampening, and all others by 1: only the
/// device knows which parameters have stepped. Adds weight decay first.
void dampen(const FusedSGDOptions& options, double weight_decay, Bucket& bucket) {
  bucket.unscale();
  if (weight_decay != 0) bucket.gradients = at::_foreach_add(bucket.gradients, bucket.parameters, weight_decay);
  const at::Tensor steps = at::stack(bucket.tensors(&FusedSGDParamState::step));
  const at::Tensor weights = 1 - steps.ne(0).to(bucket.parameters.front().scalar_type()) * options.dampening();
  bucket.gradients = at::_foreach_mul(bucket.gradients, weights.unbind());
}

}  // namespace

void FusedSGDOptions::check() const {
  check_not_negative({{"lr", lr_}, {"momentum", momentum_}, {"weight_decay", weight_decay_}});
  check_option(!nesterov_ || (momentum_ > 0 && dampening_ == 0),
               "nesterov needs a momentum above 0 and a dampening of 0");
}

FusedSGDParamState FusedSGDParamState::before_first_step(const at::Tensor& updated) {
  FusedSGDParamState state;
  state.step(zero_steps(updated));
  state.momentum_buffer(at::zeros_like(updated));
  return state;
}

void FusedSGD::update(const FusedSGDOptions& options, Bucket& bucket) {
  const bool has_momentum = options.momentum() != 0;
  double weight_decay = options.weight_decay();
  if (options.wd_after_momentum()) {
    decay_unless(bucket.found_inf, bucket.parameters, options.lr() * weight_decay);
    weight_decay = 0;
  }
  if (has_momentum && options.dampening() != 0) {
    dampen(options, weight_decay, bucket);
    weight_decay = 0;  // already added to the gradient by dampen()
  }
  std::vector<at::Tensor> buffers;
  if (has_momentum) buffers = bucket.tensors(&FusedSGDParamState::momentum_buffer);
  // The buffers start at zero, so a first step is not a special case: momentum * 0 + gradient.
  at::_fused_sgd_(bucket.parameters, bucket.gradients, buffers, weight_decay, options.momentum(), options.lr(),
                  /*dampening=*/0.0, options.nesterov(), /*maximize=*/false, /*is_first_step=*/false, bucket.grad_scale,
                  bucket.found_inf);
  if (has_momentum) bucket.count_step(bucket.tensors(&FusedSGDParamState::step));
}

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#include "amp_core/optimizers/on_device.h"

#include <ATen/Functions.h>

#include "amp_core/multi_tensor/flat_copy.h"

namespace amp {

void decay_unless(const FoundInf& found_inf, at::TensorList parameters, double amount) {
  if (amount == 0) return;
  if (found_inf) {
    at::_foreach_mul_(parameters, (1 - (1 - *found_inf) * amount).squeeze());
  } else {
    at::_foreach_mul_(parameters, 1 - amount);
  }
}

void subtract_unless(const FoundInf& found_inf, at::TensorList parameters, at::TensorList updates) {
  at::_fused_sgd_(parameters, updates, {}, /*weight_decay=*/0.0, /*momentum=*/0.0, /*lr=*/1.0, /*dampening=*/0.0,
                  /*nesterov=*/false, /*maximize=*/false, /*is_first_step=*/false, /*grad_scale=*/{}, found_inf);
}

// Uses the momentum of the SGD kernel, which is the same kind of average and respects `found_inf`. The kernel must also
// update parameters, so it gets the list `spare` and lr 0.
void average_unless(const FoundInf& found_inf, at::TensorList averages, at::TensorList values, double decay,
                    double weight) {
  const auto spare = flat_like(values, values.front().scalar_type()).tensors;
  const auto run = [&](at::TensorList gradients, double momentum, bool takes_gradient) {
    at::_fused_sgd_(spare, gradients, averages, /*weight_decay=*/0.0, momentum, /*lr=*/0.0,
                    /*dampening=*/1.0 - weight, /*nesterov=*/false, /*maximize=*/false, takes_gradient,
                    /*grad_scale=*/{}, found_inf);
  };
  if (decay != 0) return run(values, decay, /*takes_gradient=*/false);
  // Without momentum the kernel ignores the buffer. So this calls it for a first step with momentum 1, which sets the
  // buffer to the gradient.
  run(weight == 1 ? values.vec() : at::_foreach_mul(values, weight), 1.0, /*takes_gradient=*/true);
}

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/gradient_backup.h"

#include <torch/optim/optimizer.h>

#include "amp_core/torch_hooks/aside.h"

namespace amp {

GradientBackup::GradientBackup(const std::vector<OptimizerState*>& states) {
  const Aside not_the_programs_work;
  for (const OptimizerState* state : states) {
    for (const auto& group : state->optimizer->param_groups()) {
      for (const at::Tensor& updated : group.params()) {
        const at::Tensor* model = state->model_of(updated);
        const at::Tensor& parameter = model != nullptr ? *model : updated;
        const at::Tensor& gradient = parameter.grad();
        saved_.push_back({parameter, gradient, gradient.defined() ? gradient.clone() : at::Tensor()});
      }
    }
  }
}

void GradientBackup::restore() const {
  const Aside not_the_programs_work;
  for (const auto& [parameter, gradient, values] : saved_) {
    if (gradient.defined()) gradient.copy_(values);
    parameter.mutable_grad() = gradient;
  }
}

}  // namespace amp

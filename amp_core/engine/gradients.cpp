// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/gradients.h"

#include <ATen/Functions.h>
#include <torch/optim/optimizer.h>
#include <torch/utils.h>

#include <map>

namespace amp {
namespace {

template <class Visit>
void for_each_parameter(const OptimizerState& state, Visit&& visit) {
  for (const auto& group : state.optimizer->param_groups()) {
    for (const at::Tensor& parameter : group.params()) visit(parameter);
  }
}

/// One call for all tensors of a device and type. `found` collects over the calls of a device.
bool unscale_together(const std::vector<at::Tensor>& tensors, double scale) {
  const auto options = tensors.front().options().dtype(at::kFloat);
  at::Tensor found = at::zeros({1}, options);
  const at::Tensor inverse = at::full({1}, 1.0 / scale, options);
  at::_amp_foreach_non_finite_check_and_unscale_(tensors, found, inverse);
  return found.item<float>() != 0.0F;
}

}  // namespace

void stash_gradients(OptimizerState& state) {
  for_each_parameter(state, [&](const at::Tensor& parameter) {
    if (const at::Tensor* model = state.model_of(parameter)) {
      model->mutable_grad() = at::Tensor();  // its value moved to the master's gradient when its pass ended
      return;
    }
    at::Tensor& gradient = parameter.mutable_grad();
    if (gradient.defined()) state.stash[parameter.unsafeGetTensorImpl()] = std::move(gradient);
    gradient = at::Tensor();
  });
}

void restore_gradients(OptimizerState& state) {
  for_each_parameter(state, [&](const at::Tensor& parameter) {
    if (const at::Tensor* model = state.model_of(parameter)) {
      model->mutable_grad() = at::Tensor();
      return;
    }
    const auto stashed = state.stash.find(parameter.unsafeGetTensorImpl());
    parameter.mutable_grad() = stashed == state.stash.end() ? at::Tensor() : stashed->second;
  });
  state.stash.clear();
  state.holds_scaled_gradients = false;
}

std::vector<PassGradient> gradients_of_pass(const OptimizerState& state) {
  std::vector<PassGradient> gradients;
  for_each_parameter(state, [&](const at::Tensor& parameter) {
    const at::Tensor* model = state.model_of(parameter);
    const at::Tensor& made_for = model != nullptr ? *model : parameter;
    const at::Tensor& scaled = made_for.grad();
    if (!scaled.defined()) return;
    gradients.push_back({made_for, parameter, scaled, model != nullptr ? scaled.to(at::kFloat) : scaled});
  });
  return gradients;
}

bool unscale(std::vector<PassGradient>& gradients, double scale) {
  const torch::NoGradGuard no_grad;
  std::map<std::pair<std::string, at::ScalarType>, std::vector<at::Tensor>> groups;
  for (const auto& gradient : gradients) {
    groups[{gradient.unscaled.device().str(), gradient.unscaled.scalar_type()}].push_back(gradient.unscaled);
  }
  bool overflowed = false;
  for (const auto& [where, tensors] : groups) overflowed |= unscale_together(tensors, scale);
  return overflowed;
}

void merge_gradients(OptimizerState& state, const std::vector<PassGradient>& gradients) {
  const torch::NoGradGuard no_grad;
  for (const auto& gradient : gradients) {
    const bool has_master = !gradient.updated.is_same(gradient.parameter);
    at::Tensor& kept = gradient.updated.mutable_grad();
    if (has_master && kept.defined()) {
      kept.add_(gradient.unscaled);
    } else {
      kept = gradient.unscaled;
    }
  }
  for_each_parameter(state, [&](const at::Tensor& parameter) {
    const auto stashed = state.stash.find(parameter.unsafeGetTensorImpl());
    if (stashed == state.stash.end()) return;
    at::Tensor& gradient = parameter.mutable_grad();
    if (gradient.defined()) {
      gradient.add_(stashed->second);
    } else {
      gradient = stashed->second;
    }
  });
  state.stash.clear();
}

void drop_gradients(OptimizerState& state) {
  for_each_parameter(state, [](const at::Tensor& parameter) { parameter.mutable_grad() = at::Tensor(); });
  state.stash.clear();
}

}  // namespace amp

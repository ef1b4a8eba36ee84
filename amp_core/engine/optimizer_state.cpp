// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/optimizer_state.h"

#include <ATen/ops/_foreach_copy.h>
#include <ATen/ops/equal.h>
#include <torch/optim/optimizer.h>
#include <torch/utils.h>

#include <utility>

#include "amp_core/base/listeners.h"
#include "amp_core/base/scalar_types.h"

namespace amp {
namespace {

at::Tensor master_of(const at::Tensor& parameter, const Originals& originals) {
  const auto original = originals.find(parameter.unsafeGetTensorImpl());
  const at::Tensor master = original == originals.end() ? parameter.detach().to(at::kFloat) : original->second;
  return master.detach().set_requires_grad(true);
}

void move_state(torch::optim::Optimizer& optimizer, const at::Tensor& from, const at::Tensor& to) {
  auto& states = optimizer.state();
  const auto found = states.find(from.unsafeGetTensorImpl());
  if (found == states.end()) return;
  auto state = std::move(found->second);
  states.erase(found);
  states[to.unsafeGetTensorImpl()] = std::move(state);
}

}  // namespace

const at::Tensor* OptimizerState::model_of(const at::Tensor& parameter) const {
  const auto found = model_of_master.find(parameter.unsafeGetTensorImpl());
  return found == model_of_master.end() ? nullptr : &found->second;
}

void make_masters(OptimizerState& state, const Originals& originals) {
  for (auto& group : state.optimizer->param_groups()) {
    for (at::Tensor& parameter : group.params()) {
      if (!is_reduced(parameter.scalar_type()) || !parameter.requires_grad()) continue;
      const at::Tensor model = parameter;
      parameter = master_of(model, originals);
      move_state(*state.optimizer, model, parameter);
      state.masters.push_back({model, parameter, static_cast<std::int64_t>(model._version())});
      state.model_of_master.emplace(parameter.unsafeGetTensorImpl(), model);
      tell([&](Listener& listener) { listener.master_created(model, parameter); });
    }
  }
}

void copy_masters_to_model(OptimizerState& state) {
  if (state.masters.empty()) return;
  const torch::NoGradGuard no_grad;
  std::vector<at::Tensor> models;
  std::vector<at::Tensor> masters;
  for (const MasterPair& pair : state.masters) {
    models.push_back(pair.model);
    masters.push_back(pair.master);
  }
  at::_foreach_copy_(models, masters);
  for (MasterPair& pair : state.masters) pair.model_version = static_cast<std::int64_t>(pair.model._version());
}

void update_masters_of_written_parameters(OptimizerState& state) {
  const torch::NoGradGuard no_grad;
  for (MasterPair& pair : state.masters) {
    const auto version = static_cast<std::int64_t>(pair.model._version());
    if (std::exchange(pair.model_version, version) == version) continue;
    if (!at::equal(pair.model, pair.master.to(pair.model.scalar_type()))) pair.master.copy_(pair.model);
  }
}

void drop_master_gradients(const OptimizerState& state) {
  for (const auto& pair : state.masters) pair.master.mutable_grad() = at::Tensor();
}

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/engine.h"

#include <torch/nn/module.h>

#include <algorithm>
#include <cstdlib>

#include "amp_core/base/frontend.h"
#include "amp_core/launch/launcher.h"

namespace amp {
namespace {

/// Returns the first parameter or buffer of a model; undefined if it has none.
at::Tensor a_tensor_of(const torch::nn::Module& model) {
  for (const auto& tensors : {model.parameters(), model.buffers()}) {
    if (!tensors.empty()) return tensors.front();
  }
  return {};
}

}  // namespace

LossState& Engine::loss(int loss_id) {
  if (loss_id < 0 || loss_id >= static_cast<int>(losses.size())) {
    throw Error("There is no loss_id " + std::to_string(loss_id) + ": initialize() was called with num_losses = " +
                std::to_string(losses.size()) + ", and ids count from 0.");
  }
  return losses.at(static_cast<std::size_t>(loss_id));
}

OptimizerState* Engine::find(const torch::optim::Optimizer& optimizer) {
  const auto is_it = [&](const auto& state) { return state->optimizer == &optimizer; };
  const auto found = std::find_if(optimizers.begin(), optimizers.end(), is_it);
  return found == optimizers.end() ? nullptr : found->get();
}

OptimizerState& Engine::state_of(const torch::optim::Optimizer& optimizer, const char* caller) {
  if (OptimizerState* state = find(optimizer)) return *state;
  throw Error(std::string("amp::") + caller + " got an optimizer that was not passed to amp::initialize().");
}

bool Engine::knows(const torch::nn::Module& model) const {
  const auto known = models.find(&model);
  if (known == models.end()) return false;
  const at::Tensor now = a_tensor_of(model);
  return now.defined() && known->second.lock().get() == now.unsafeGetTensorImpl();
}

void Engine::add(const torch::nn::Module& model) {
  models.insert_or_assign(&model, c10::weak_intrusive_ptr<c10::TensorImpl>(a_tensor_of(model).getIntrusivePtr()));
}

void Engine::say(const std::string& text) const {
  if (properties.verbosity >= 1) frontend().print(text);
}

void Engine::say_on_first_rank(const std::string& text) const {
  if (parallel::place_of(std::getenv).rank.value_or(0) == 0) say(text);
}

}  // namespace amp

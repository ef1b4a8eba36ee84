// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/engine.h"

#include <algorithm>
#include <iostream>

#include "amp_core/amp.h"

namespace amp {

bool Engine::is_enabled(const char* caller) const {
  if (!properties) {
    throw Error(std::string("amp::") + caller + " was called before amp::initialize(models, optimizers, options).");
  }
  return properties->enabled;
}

LossScaler& Engine::scaler(int loss_id) {
  if (loss_id < 0 || loss_id >= static_cast<int>(scalers.size())) {
    throw Error("There is no loss_id " + std::to_string(loss_id) + ": initialize() was called with num_losses = " +
                std::to_string(scalers.size()) + ", and ids count from 0.");
  }
  return scalers.at(static_cast<std::size_t>(loss_id));
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

Engine& engine() {
  static auto* const instance = new Engine();
  return *instance;
}

void say(const std::string& text) {
  const auto& properties = engine().properties;
  if (properties && properties->verbosity >= 1) std::cout << text << std::endl;
}

double loss_scale(int loss_id) {
  if (!engine().is_enabled("loss_scale")) return 1.0;
  return engine().scaler(loss_id).scale();
}

const Properties& properties() {
  static_cast<void>(engine().is_enabled("properties"));
  return *engine().properties;
}

std::vector<at::Tensor> master_params(const torch::optim::Optimizer& optimizer) {
  std::vector<at::Tensor> all;
  for (const auto& group : optimizer.param_groups()) {
    all.insert(all.end(), group.params().begin(), group.params().end());
  }
  return all;
}

void shutdown() {
  disable_casts_on_this_thread();
  engine() = Engine();
}

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "amp_core/engine/optimizer_state.h"
#include "amp_core/levels/properties.h"
#include "amp_core/loss_scaler.h"

namespace torch::nn {
class Module;
}

namespace amp {

/// What initialize() set up. The public functions speak of one engine per process, as Apex does; this is it.
struct Engine {
  std::optional<Properties> properties;
  std::vector<LossScaler> scalers;
  std::vector<std::unique_ptr<OptimizerState>> optimizers;
  std::unordered_set<const torch::nn::Module*> models;

  /// Whether there is anything to do. Throws Error, naming `caller`, before initialize().
  bool is_enabled(const char* caller) const;

  LossScaler& scaler(int loss_id);
  OptimizerState* find(const torch::optim::Optimizer& optimizer);
  /// The same; throws Error, naming `caller`, for an optimizer that initialize() did not get.
  OptimizerState& state_of(const torch::optim::Optimizer& optimizer, const char* caller);
};

Engine& engine();

/// Prints a line for the user where the verbosity allows it.
void say(const std::string& text);

}  // namespace amp

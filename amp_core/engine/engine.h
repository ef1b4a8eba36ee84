// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "amp_core/engine/open_checks.h"
#include "amp_core/engine/optimizer_state.h"
#include "amp_core/engine/registry.h"
#include "amp_core/levels/loss_scaler.h"
#include "amp_core/levels/properties.h"

namespace torch::nn {
class Module;
}

namespace amp {

/// The scaler of one loss, and its flags.
struct LossState {
  LossScaler scaler;
  bool has_uncounted_overflow = false;  ///< a pass with delay_overflow_check overflowed
  bool has_differing_scales = false;    ///< ranks had different scales when they last agreed
};

/// Models, optimizers and scalers that initialize() set up for one thread.
struct Engine {
  Properties properties;
  std::vector<LossState> losses;
  std::vector<std::unique_ptr<OptimizerState>> optimizers;
  std::vector<OpenCheck> open_checks;
  /// One tensor of each model, to distinguish the model from a later one at the same address.
  std::unordered_map<const torch::nn::Module*, c10::weak_intrusive_ptr<c10::TensorImpl>> models;

  bool is_enabled() const { return properties.enabled; }

  /// Returns the state of a loss. Throws Error unless the id is from 0 to num_losses - 1.
  LossState& loss(int loss_id);
  OptimizerState* find(const torch::optim::Optimizer& optimizer);
  /// Returns the optimizer's state. Throws Error, naming `caller`, for an optimizer that was not passed to
  /// initialize().
  OptimizerState& state_of(const torch::optim::Optimizer& optimizer, const char* caller);

  bool knows(const torch::nn::Module& model) const;
  void add(const torch::nn::Module& model);

  /// Prints a line for the user if the verbosity allows it.
  void say(const std::string& text) const;
  /// Like say(), but prints only on rank 0, as Apex does. For lines that would be the same on all ranks.
  void say_on_first_rank(const std::string& text) const;
};

}  // namespace amp

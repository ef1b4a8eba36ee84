// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/step.h"

#include <utility>

#include "amp_core/base/listeners.h"
#include "amp_core/casts/casts.h"
#include "amp_core/casts/scopes.h"
#include "amp_core/engine/engine.h"
#include "amp_core/engine/overflows.h"
#include "amp_core/engine/registry.h"
#include "amp_core/levels/banner.h"

namespace amp {
namespace {

/// Tells listeners that a step begins, and that it ended however it ends.
class ToldStep {
 public:
  explicit ToldStep(const torch::optim::Optimizer& optimizer) : optimizer_(&optimizer) {
    tell([&](Listener& listener) { listener.step_begun(optimizer_); });
  }
  ~ToldStep() {
    tell([&](Listener& listener) { listener.step_ended(optimizer_, skipped); });
  }
  ToldStep(const ToldStep&) = delete;
  ToldStep& operator=(const ToldStep&) = delete;

  bool skipped = false;

 private:
  const torch::optim::Optimizer* optimizer_;
};

bool skip(Engine& engine, OptimizerState& state) {
  const int loss_id = *state.overflowed_loss;
  state.overflowed_loss.reset();
  state.found_inf.reset();
  count_delayed_overflow(engine, loss_id);
  engine.say(skip_message(loss_id, engine.loss(loss_id).scaler.scale()));
  drop_master_gradients(state);
  return false;
}

void refuse_scaled_gradients(const OptimizerState& state) {
  if (!state.holds_scaled_gradients) return;
  throw Error(
      "amp::step was called while gradients are still scaled: the last scale_loss() before a step must not "
      "delay unscaling.");
}

void refuse_closure(const Engine& engine) {
  const Properties& properties = engine.properties;
  if (!properties.has_master_weights() && !properties.loss_scale.is_dynamic() && !properties.patch_torch_functions) {
    return;
  }
  throw Error(
      "amp::step does not take a closure at " + std::string(name_of(properties.opt_level)) +
      ": an optimizer that calls it several times in a step would use gradients that nobody has unscaled or checked. "
      "Run forward and amp::scale_loss() before, and call amp::step(optimizer); or use level O0 or O3 with a static "
      "loss scale, or enabled = false.");
}

}  // namespace

bool step(torch::optim::Optimizer& optimizer) {
  Engine& here = engine("step");
  OptimizerState* state = here.is_enabled() ? &here.state_of(optimizer, "step") : nullptr;
  if (state != nullptr) refuse_scaled_gradients(*state);
  ToldStep told(optimizer);
  const DisableCasts casts_off;
  clear_cast_cache();
  const bool is_skipped = state != nullptr && state->overflowed_loss;
  told.skipped = is_skipped || (state != nullptr && std::exchange(state->is_told_to_skip, false));
  if (is_skipped) return skip(here, *state);
  optimizer.step();
  if (state == nullptr) return true;
  state->found_inf.reset();
  copy_masters_to_model(*state);
  drop_master_gradients(*state);
  return true;
}

at::Tensor step(torch::optim::Optimizer& optimizer, const torch::optim::Optimizer::LossClosure& closure) {
  Engine& here = engine("step");
  if (here.is_enabled()) {
    refuse_scaled_gradients(here.state_of(optimizer, "step"));
    refuse_closure(here);
  }
  const ToldStep told(optimizer);
  return optimizer.step(closure);
}

std::vector<at::Tensor> master_params(const torch::optim::Optimizer& optimizer) {
  std::vector<at::Tensor> all;
  for (const auto& group : optimizer.param_groups()) {
    all.insert(all.end(), group.params().begin(), group.params().end());
  }
  return all;
}

}  // namespace amp

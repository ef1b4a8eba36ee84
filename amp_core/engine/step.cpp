// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/step.h"

#include <utility>

#include "amp_core/base/listeners.h"
#include "amp_core/casts/casts.h"
#include "amp_core/engine/engine.h"
#include "amp_core/engine/overflows.h"
#include "amp_core/engine/registry.h"
#include "amp_core/levels/banner.h"

namespace amp {
namespace {

void skip(Engine& engine, OptimizerState& state) {
  const int loss_id = *state.overflowed_loss;
  state.overflowed_loss.reset();
  state.found_inf.reset();
  count_delayed_overflow(engine, loss_id);
  engine.say(skip_message(loss_id, engine.loss(loss_id).scaler.scale()));
  drop_master_gradients(state);
}

void refuse_scaled_gradients(const OptimizerState& state) {
  if (state.is_in_pass) {
    throw Error(
        "amp::step was called before scale_loss() had ended, while gradients are still scaled. Call amp::step() after "
        "scale_loss() has returned.");
  }
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
  throw Error("amp::step does not take a closure at " + std::string(name_of(properties.opt_level)) +
              ": an optimizer that calls the closure several times in a step would use gradients that are neither "
              "unscaled nor checked. Run the forward pass and amp::scale_loss() first, then call amp::step(optimizer) "
              "without a closure; or use level O0 or O3 with a static loss scale, or enabled = false.");
}

}  // namespace

StepCall::StepCall(torch::optim::Optimizer& optimizer, Closure closure) : optimizer_(&optimizer) {
  Engine& here = engine("step");
  OptimizerState* const state = here.is_enabled() ? &here.state_of(optimizer, "step") : nullptr;
  if (state != nullptr) {
    refuse_scaled_gradients(*state);
    if (closure == Closure::Called) refuse_closure(here);
  }
  tell([&](Listener& listener) { listener.step_begun(optimizer_); });
  if (closure == Closure::Called) return;
  casts_off_.emplace();
  clear_cast_cache();
  state_ = state;
  if (state_ == nullptr) return;
  may_step_ = !state_->overflowed_loss;
  is_skipped_ = std::exchange(state_->is_skip_reported, false) || !may_step_;
  if (!may_step_) skip(here, *state_);
}

StepCall::~StepCall() {
  casts_off_.reset();
  tell([&](Listener& listener) { listener.step_ended(optimizer_, is_skipped_); });
}

void StepCall::finish() {
  if (state_ == nullptr || !may_step_) return;
  state_->found_inf.reset();
  copy_masters_to_model(*state_);
  drop_master_gradients(*state_);
}

bool step(torch::optim::Optimizer& optimizer) {
  StepCall call(optimizer);
  if (!call.may_step()) return false;
  optimizer.step();
  call.finish();
  return true;
}

at::Tensor step(torch::optim::Optimizer& optimizer, const torch::optim::Optimizer::LossClosure& closure) {
  const StepCall call(optimizer, StepCall::Closure::Called);
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

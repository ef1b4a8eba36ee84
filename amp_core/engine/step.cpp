// SPDX-License-Identifier: Apache-2.0
#include "amp_core/amp.h"
#include "amp_core/engine/engine.h"
#include "amp_core/listeners.h"

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

bool skip(OptimizerState& state) {
  say(*state.skip_message);
  state.skip_message.reset();
  drop_master_gradients(state);
  return false;
}

}  // namespace

bool step(torch::optim::Optimizer& optimizer) {
  const bool enabled = engine().is_enabled("step");
  OptimizerState* state = enabled ? &engine().state_of(optimizer, "step") : nullptr;
  if (state != nullptr && state->holds_scaled_gradients) {
    throw Error(
        "amp::step was called while gradients are still scaled: the last scale_loss() before a step must not "
        "delay unscaling.");
  }
  ToldStep told(optimizer);
  const DisableCasts casts_off;
  clear_cast_cache();
  told.skipped = state != nullptr && state->skip_message;
  if (told.skipped) return skip(*state);
  optimizer.step();
  if (state == nullptr) return true;
  copy_masters_to_model(*state);
  drop_master_gradients(*state);
  return true;
}

}  // namespace amp

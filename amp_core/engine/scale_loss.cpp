// SPDX-License-Identifier: Apache-2.0
#include <ATen/Functions.h>

#include "amp_core/amp.h"
#include "amp_core/engine/engine.h"
#include "amp_core/engine/gradients.h"
#include "amp_core/levels/banner.h"
#include "amp_core/listeners.h"
#include "amp_core/torch_hooks/aside.h"

namespace amp {
namespace {

using States = std::vector<OptimizerState*>;

States states_of(const Optimizers& optimizers) {
  States states;
  for (torch::optim::Optimizer& optimizer : optimizers) {
    states.push_back(&engine().state_of(optimizer, "scale_loss"));
    if (engine().properties->has_master_weights()) make_masters(*states.back());
  }
  return states;
}

std::vector<PassGradient> gradients_of(const States& states) {
  std::vector<PassGradient> all;
  for (const OptimizerState* state : states) {
    auto gradients = gradients_of_pass(*state);
    all.insert(all.end(), gradients.begin(), gradients.end());
  }
  return all;
}

/// `pass_scale` is the scale that the unscaled gradients were divided by.
void tell_overflow(Overflow overflow, const std::vector<PassGradient>& gradients, double pass_scale) {
  for (const auto& gradient : gradients) {
    const bool in_place = gradient.scaled.is_same(gradient.unscaled);
    overflow.gradients.push_back({&gradient.parameter, &gradient.scaled, in_place ? pass_scale : 1.0});
  }
  tell([&](Listener& listener) { listener.overflowed(overflow); });
}

bool is_finite(const PassGradient& gradient) { return at::isfinite(gradient.scaled).all().item<bool>(); }

/// A scale of 1 that never changes: gradients are right as they are. Looked at only when someone wants to know.
void plain_pass(const at::Tensor& loss, const States& states, int loss_id,
                const std::function<void(const at::Tensor&)>& backward) {
  backward(loss);
  tell([&](Listener& listener) { listener.backward_ended(loss_id); });
  clear_cast_cache();
  if (!anyone_listens()) return;
  const Aside not_the_programs_work;
  const auto gradients = gradients_of(states);
  if (std::all_of(gradients.begin(), gradients.end(), is_finite)) return;
  Overflow overflow;
  overflow.loss_id = loss_id;
  tell_overflow(std::move(overflow), gradients, 1.0);
}

/// Updates the scaler and says so. Returns whether the optimizers may step.
bool update_scaler(int loss_id, bool overflowed, const std::vector<PassGradient>& gradients) {
  LossScaler& scaler = engine().scaler(loss_id);
  const double before = scaler.scale();
  const bool may_step = scaler.update(overflowed);
  const double after = scaler.scale();
  if (overflowed && anyone_listens()) {
    tell_overflow({loss_id, before, after, !may_step, {}}, gradients, before);
  }
  if (scaler.is_dynamic()) {
    tell([&](Listener& listener) { listener.scale_updated(loss_id, before, after, overflowed); });
  }
  return may_step;
}

void skip_next_step(OptimizerState& state, int loss_id) {
  drop_gradients(state);
  if (!state.skip_message) state.skip_message = skip_message(loss_id, engine().scaler(loss_id).scale());
}

void finish_pass(const States& states, int loss_id) {
  std::vector<std::vector<PassGradient>> of_each;
  std::vector<PassGradient> all;
  for (OptimizerState* state : states) {
    of_each.push_back(gradients_of_pass(*state));
    all.insert(all.end(), of_each.back().begin(), of_each.back().end());
    state->holds_scaled_gradients = false;
  }
  const bool overflowed = unscale(all, engine().scaler(loss_id).scale());
  const bool may_step = update_scaler(loss_id, overflowed, all);
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (may_step) {
      merge_gradients(*states[i], of_each[i]);
    } else {
      skip_next_step(*states[i], loss_id);
    }
  }
}

void scaled_pass(const at::Tensor& loss, const States& states, const ScaleLossOptions& options,
                 const std::function<void(const at::Tensor&)>& backward) {
  for (OptimizerState* state : states) {
    if (!state->holds_scaled_gradients) stash_gradients(*state);
  }
  try {
    backward(loss * engine().scaler(options.loss_id).scale());
  } catch (...) {
    for (OptimizerState* state : states) restore_gradients(*state);
    clear_cast_cache();
    throw;
  }
  tell([&](Listener& listener) { listener.backward_ended(options.loss_id); });
  clear_cast_cache();
  if (options.delay_unscale) {
    for (OptimizerState* state : states) state->holds_scaled_gradients = true;
  } else {
    finish_pass(states, options.loss_id);
  }
}

}  // namespace

void scale_loss(const at::Tensor& loss, const Optimizers& optimizers,
                const std::function<void(const at::Tensor&)>& backward, const ScaleLossOptions& options) {
  if (!engine().is_enabled("scale_loss")) return backward(loss);
  const LossScaler& scaler = engine().scaler(options.loss_id);
  const States states = states_of(optimizers);
  const at::Tensor unscaled = loss.to(at::kFloat);
  tell([&](Listener& listener) { listener.loss_seen(options.loss_id, unscaled, scaler.scale()); });

  const bool is_plain = !engine().properties->has_master_weights() && !scaler.is_dynamic() && scaler.scale() == 1.0;
  if (is_plain) {
    plain_pass(unscaled, states, options.loss_id, backward);
  } else {
    scaled_pass(unscaled, states, options, backward);
  }
}

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/open_checks.h"

#include <ATen/Functions.h>
#include <torch/optim/optimizer.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "amp_core/engine/engine.h"
#include "amp_core/engine/overflows.h"
#include "amp_core/levels/banner.h"
#include "amp_core/optimizers/found_inf.h"

namespace amp {
namespace {

std::atomic<bool> wanted_on_cpu = false;

bool skips_on_device(const OptimizerState* state) {
  return dynamic_cast<const SkipsOnDevice*>(state->optimizer) != nullptr && !state->overflowed_loss;
}

/// Handles an overflow of this loss, after the scale has fallen. If the optimizer's step is already queued (the device
/// skips it), prints the skip; else makes the next step skip.
void skip_or_report_skip(const Engine& engine, OptimizerState& state, int loss_id) {
  drop_gradients(state);
  const bool has_stepped = !state.found_inf.defined();
  if (has_stepped) {
    engine.say(skip_message(loss_id, engine.losses[static_cast<std::size_t>(loss_id)].scaler.scale()));
  } else if (!state.overflowed_loss) {
    state.overflowed_loss = loss_id;
  }
}

}  // namespace

bool may_stay_open(const OverflowFlag& flag, const std::vector<OptimizerState*>& states) {
  return (flag.is_on_cuda() || wanted_on_cpu) && std::all_of(states.begin(), states.end(), skips_on_device);
}

void leave_open(Engine& engine, OpenCheck check) {
  const at::Tensor found = check.flag.collected();
  for (OptimizerState* state : check.states) {
    at::Tensor& owed = state->found_inf;
    owed = owed.defined() ? at::maximum(owed, found.to(owed.device(), /*non_blocking=*/true)) : found;
    dynamic_cast<SkipsOnDevice&>(*state->optimizer).skip_if(owed);
  }
  engine.open_checks.push_back(std::move(check));
}

void settle(Engine& engine) {
  for (OpenCheck& check : std::exchange(engine.open_checks, {})) {
    const bool overflowed = check.flag.is_set();
    report_differing_scales(engine, check.loss_id, check.flag);
    static_cast<void>(engine.loss(check.loss_id).scaler.update(overflowed));
    if (!overflowed) continue;
    for (OptimizerState* state : check.states) skip_or_report_skip(engine, *state, check.loss_id);
  }
  for (const auto& state : engine.optimizers) {
    if (!state->found_inf.defined()) continue;
    dynamic_cast<SkipsOnDevice&>(*state->optimizer).skip_if({});
    state->found_inf.reset();
  }
}

void leave_checks_open_on_cpu(bool wanted) { wanted_on_cpu = wanted; }

}  // namespace amp

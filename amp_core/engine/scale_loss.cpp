// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/scale_loss.h"

#include <ATen/Functions.h>
#include <ATen/core/Tensor.h>
#include <torch/optim/optimizer.h>
#include <torch/utils.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "amp_core/base/listeners.h"
#include "amp_core/casts/casts.h"
#include "amp_core/engine/engine.h"
#include "amp_core/engine/gradients.h"
#include "amp_core/engine/optimizer_state.h"
#include "amp_core/engine/overflows.h"
#include "amp_core/engine/registry.h"
#include "amp_core/engine/replicas.h"
#include "amp_core/levels/banner.h"
#include "amp_core/torch_hooks/aside.h"

namespace amp {
namespace {

/// Saves the gradients that a backward pass adds to, and restores them if the pass throws. After zero_grad(), as in the
/// usual loop, there is nothing to copy.
class GradientBackup {
 public:
  explicit GradientBackup(const std::vector<OptimizerState*>& states);

  /// Drops the gradients made since construction. Earlier gradients keep their tensors and get their values back.
  void restore() const;

 private:
  struct Saved {
    at::Tensor parameter;
    at::Tensor gradient;  ///< gradient before the pass; undefined if there was none
    at::Tensor values;
  };

  std::vector<Saved> saved_;
};

GradientBackup::GradientBackup(const std::vector<OptimizerState*>& states) {
  const Aside not_the_programs_work;
  for (const OptimizerState* state : states) {
    for (const auto& group : state->optimizer->param_groups()) {
      for (const at::Tensor& updated : group.params()) {
        const at::Tensor* model = state->model_of(updated);
        const at::Tensor& parameter = model != nullptr ? *model : updated;
        const at::Tensor& gradient = parameter.grad();
        saved_.push_back({parameter, gradient, gradient.defined() ? gradient.clone() : at::Tensor()});
      }
    }
  }
}

void GradientBackup::restore() const {
  const Aside not_the_programs_work;
  for (const auto& [parameter, gradient, values] : saved_) {
    if (gradient.defined()) gradient.copy_(values);
    parameter.mutable_grad() = gradient;
  }
}

using States = std::vector<OptimizerState*>;

}  // namespace

/// One call of scale_loss().
struct ScaledPass {
  Engine& engine;
  States states;
  ScaleLossOptions options;
  ReplicasList replicas;  ///< replicas that train parameters of these optimizers
  double scale = 1.0;
  bool is_plain = false;  ///< nothing to unscale: the scale is always 1, and there are no masters
  States fresh = {};      ///< optimizers whose earlier gradients are stashed during the pass
  std::optional<GradientBackup> backup = std::nullopt;  ///< for all other optimizers, whose gradients add up in place

  LossState& loss() const { return engine.loss(options.loss_id); }
};

namespace {

using Pass = ScaledPass;

States states_of(Engine& engine, const Optimizers& optimizers) {
  States states;
  for (torch::optim::Optimizer& optimizer : optimizers) {
    OptimizerState& state = engine.state_of(optimizer, "scale_loss");
    if (std::find(states.begin(), states.end(), &state) != states.end()) {
      throw Error("amp::scale_loss got the same optimizer twice. Its gradients would be unscaled twice: pass it once.");
    }
    states.push_back(&state);
  }
  if (engine.properties.has_master_weights()) {
    for (OptimizerState* state : states) {
      make_masters(*state);
      update_masters_of_written_parameters(*state);
    }
  }
  return states;
}

/// Reports an overflow to listeners. `pass_scale` is the loss scale by which gradients without a master were divided in
/// place.
void report_overflow(Overflow overflow, const std::vector<PassGradient>& gradients, double pass_scale) {
  std::vector<at::Tensor> values;
  values.reserve(gradients.size());  // elements must not move: listeners get pointers to them
  for (const auto& gradient : gradients) {
    const bool in_place = gradient.scaled.is_same(gradient.unscaled);
    values.push_back(values_of(gradient.scaled));
    overflow.gradients.push_back({&gradient.parameter, &values.back(), in_place ? pass_scale : 1.0});
  }
  tell([&](Listener& listener) { listener.overflowed(overflow); });
}

void tell_scale(int loss_id, double before, double after, bool overflowed) {
  tell([&](Listener& listener) { listener.scale_updated(loss_id, before, after, overflowed); });
}

/// Reads the flag for listeners. If a listener reads it (read_with_listener()), the engine does not wait for devices a
/// second time.
bool is_set_for_listeners(const OverflowFlag& flag) {
  std::vector<double> values;
  if (flag.is_on_cuda()) {
    tell([&](Listener& listener) {
      if (values.empty()) values = listener.read_with_listener(flag.of_each_device());
    });
  }
  if (values.empty()) return flag.is_set();
  return std::any_of(values.begin(), values.end(), [](double value) { return value != 0.0; });
}

/// Reports to listeners that gradients which need no unscaling contain NaN or inf.
void tell_nonfinite(const Pass& pass) {
  if (!anyone_listens()) return;
  const Aside not_the_programs_work;
  std::vector<PassGradient> all;
  for (const OptimizerState* state : pass.states) {
    const auto gradients = gradients_of_pass(*state);
    all.insert(all.end(), gradients.begin(), gradients.end());
  }
  if (!is_set_for_listeners(nonfinite_among(all))) return;
  Overflow overflow;
  overflow.loss_id = pass.options.loss_id;
  report_overflow(std::move(overflow), all, 1.0);
}

/// Counts the pass in the scaler, and reports overflow and scale to listeners. Returns whether the optimizers may step.
bool count_pass(const Pass& pass, bool overflowed, const std::vector<PassGradient>& gradients) {
  const int loss_id = pass.options.loss_id;
  LossState& loss = pass.loss();
  const bool is_counted = !pass.options.delay_overflow_check;
  if (is_counted && !overflowed) count_delayed_overflow(pass.engine, loss_id);
  const double before = loss.scaler.scale();
  bool may_step = !(overflowed && loss.scaler.is_dynamic());
  if (is_counted) {
    loss.has_uncounted_overflow = false;  // one fall of the scale covers this overflow and pending ones
    may_step = loss.scaler.update(overflowed);
  } else {
    loss.has_uncounted_overflow |= !may_step;
  }
  const double after = loss.scaler.scale();
  if (overflowed && anyone_listens()) report_overflow({loss_id, before, after, !may_step, {}}, gradients, before);
  if (loss.scaler.is_dynamic() && is_counted) tell_scale(loss_id, before, after, overflowed);
  return may_step;
}

/// Queues the copy of a flag that the program needs later. If there are listeners, reads the flag now and reports the
/// overflow and the next scale.
void open_check(const Pass& pass, OverflowFlag& flag, const std::vector<PassGradient>& gradients) {
  flag.start_reading();
  if (!anyone_listens()) return;
  const Aside not_the_programs_work;
  const bool overflowed = is_set_for_listeners(flag);
  LossScaler scaler = pass.loss().scaler;
  const double before = scaler.scale();
  const bool may_step = scaler.update(overflowed);
  const int loss_id = pass.options.loss_id;
  if (overflowed) report_overflow({loss_id, before, scaler.scale(), !may_step, {}}, gradients, before);
  tell_scale(loss_id, before, scaler.scale(), overflowed);
  for (OptimizerState* state : pass.states) state->is_skip_reported = !may_step;
}

/// Returns whether the pass overflowed. With a static scale, which never skips a step, reads the flag only if there are
/// listeners.
bool has_overflowed(const Pass& pass, const OverflowFlag& flag) {
  if (pass.loss().scaler.is_dynamic()) return flag.is_set();
  if (!anyone_listens()) return false;
  const Aside not_the_programs_work;
  return is_set_for_listeners(flag);
}

/// Tells whether this pass updates a dynamic scale, and no overflow of earlier passes is pending.
bool is_counted_alone(const Pass& pass) {
  const LossState& loss = pass.loss();
  return loss.scaler.is_dynamic() && !pass.options.delay_overflow_check && !loss.has_uncounted_overflow;
}

/// Makes all ranks skip if one overflows: the gradients of the other ranks may be finite. Does nothing with a static
/// scale, which never skips.
void agree(const Pass& pass, OverflowFlag& flag) {
  const LossScaler& scaler = pass.loss().scaler;
  if (!scaler.is_dynamic()) return;
  std::vector<const void*> asked;
  for (const auto& replicas : pass.replicas) {
    if (std::find(asked.begin(), asked.end(), replicas->group()) != asked.end()) continue;
    flag.agree(*replicas, scaler.scale());
    asked.push_back(replicas->group());
  }
}

void unscale_pass(const Pass& pass) {
  const torch::NoGradGuard no_grad;  // with create_graph, unscaling must not join the gradients' graph
  for (const OptimizerState* state : pass.states) check_layouts(*state);
  std::vector<std::vector<PassGradient>> of_each;
  std::vector<PassGradient> all;
  for (OptimizerState* state : pass.states) {
    of_each.push_back(gradients_of_pass(*state));
    all.insert(all.end(), of_each.back().begin(), of_each.back().end());
  }
  OverflowFlag flag = unscale(all, pass.loss().scaler.scale());
  agree(pass, flag);
  const bool stays_open = is_counted_alone(pass) && may_stay_open(flag, pass.states);
  if (stays_open) {
    open_check(pass, flag, all);
  } else {
    report_differing_scales(pass.engine, pass.options.loss_id, flag);
  }
  const bool may_step = stays_open || count_pass(pass, has_overflowed(pass, flag), all);
  for (std::size_t i = 0; i < pass.states.size(); ++i) {
    OptimizerState& state = *pass.states[i];
    state.holds_scaled_gradients = false;
    if (may_step) {
      merge_gradients(state, of_each[i]);
    } else {
      drop_gradients(state);
      if (!state.overflowed_loss) state.overflowed_loss = pass.options.loss_id;
    }
  }
  if (stays_open) leave_open(pass.engine, {pass.options.loss_id, std::move(flag), pass.states});
}

/// Converts held gradients, which are still scaled, to the scale of this pass, so that the gradients of this pass can
/// be added.
void rescale_held(const States& states, double scale) {
  for (const OptimizerState* state : states) {
    if (state->scale_of_held_gradients != scale) rescale_gradients(*state, scale / state->scale_of_held_gradients);
  }
}

/// Throws Error if the pass would unscale gradients that stay on this rank (no_sync()): the ranks would never average
/// these gradients.
void refuse_unscaling_what_ranks_keep(const Pass& pass) {
  const auto keeps = [](const auto& replicas) { return replicas->keeps_gradients(); };
  if (pass.options.delay_unscale || std::none_of(pass.replicas.begin(), pass.replicas.end(), keeps)) return;
  throw Error(
      "amp::scale_loss would unscale gradients of a forward pass under no_sync(), which are not averaged over the "
      "ranks: each rank would continue with its own gradients. Pass delay_unscale = true for these passes; the last "
      "pass before the step, outside of no_sync(), averages and unscales the summed gradients.");
}

void mark(const Pass& pass, bool is_in_pass) {
  for (OptimizerState* state : pass.states) state->is_in_pass = is_in_pass;
}

/// Stashes gradients of earlier passes. Leaves gradients that are still scaled: this pass adds to them.
void begin_pass(Pass& pass) {
  if (pass.is_plain) {
    pass.backup.emplace(pass.states);
    return;
  }
  refuse_unscaling_what_ranks_keep(pass);
  mark(pass, true);
  States fresh;
  States adding;
  for (OptimizerState* state : pass.states) (state->holds_scaled_gradients ? adding : fresh).push_back(state);
  pass.backup.emplace(adding);
  rescale_held(adding, pass.scale);
  for (OptimizerState* state : fresh) {
    stash_gradients(*state);
    pass.fresh.push_back(state);
  }
}

void end_pass(const Pass& pass) {
  mark(pass, false);
  tell([&](Listener& listener) { listener.backward_ended(pass.options.loss_id); });
  clear_cast_cache();
  if (pass.is_plain) return tell_nonfinite(pass);
  if (!pass.options.delay_unscale) return unscale_pass(pass);
  for (OptimizerState* state : pass.states) {
    state->holds_scaled_gradients = true;
    state->scale_of_held_gradients = pass.scale;
  }
}

void undo_pass(const Pass& pass) {
  mark(pass, false);
  for (OptimizerState* state : pass.fresh) restore_gradients(*state);
  if (pass.backup) pass.backup->restore();
  clear_cast_cache();
}

}  // namespace

void count_delayed_overflow(Engine& engine, int loss_id) {
  LossState& loss = engine.loss(loss_id);
  if (!loss.has_uncounted_overflow) return;
  loss.has_uncounted_overflow = false;
  const double before = loss.scaler.scale();
  static_cast<void>(loss.scaler.update(true));
  tell_scale(loss_id, before, loss.scaler.scale(), true);
}

void report_differing_scales(Engine& engine, int loss_id, const OverflowFlag& flag) {
  const auto scales = flag.scales_of_ranks();
  LossState& loss = engine.loss(loss_id);
  const bool was_told = std::exchange(loss.has_differing_scales, scales && scales->differ());
  if (!loss.has_differing_scales || was_told) return;
  engine.say_on_first_rank(differing_scales_message(loss_id, scales->least, scales->largest));
  tell([&](Listener& listener) { listener.scales_differ(loss_id, scales->least, scales->largest); });
}

ScaleLossCall::ScaleLossCall(const at::Tensor& loss, const Optimizers& optimizers, const ScaleLossOptions& options)
    : scaled_(loss) {
  Engine& here = engine("scale_loss");
  if (!here.is_enabled()) return;
  settle(here);
  const LossScaler& scaler = here.loss(options.loss_id).scaler;
  const double scale = scaler.scale();
  const States states = states_of(here, optimizers);
  const bool is_plain = !here.properties.has_master_weights() && !scaler.is_dynamic() && scale == 1.0;
  auto pass = std::make_unique<ScaledPass>(ScaledPass{here, states, options, replicas_of(states), scale, is_plain});
  const at::Tensor unscaled = loss.to(at::kFloat);
  tell([&](Listener& listener) { listener.loss_seen(options.loss_id, unscaled, scale); });
  scaled_ = is_plain ? unscaled : unscaled * scale;
  try {
    begin_pass(*pass);
    for (const auto& replicas : pass->replicas) replicas->before_backward(scaled_);
  } catch (...) {
    undo_pass(*pass);
    throw;
  }
  pass_ = std::move(pass);
}

ScaleLossCall::~ScaleLossCall() {
  if (!pass_) return;
  try {
    undo_pass(*pass_);
  } catch (const std::exception&) {  // the device is lost, which the exception of backward reports
  }
}

void ScaleLossCall::explain(const std::exception& error) const {
  if (!pass_) return;
  for (const auto& replicas : pass_->replicas) replicas->explain(error);
}

void ScaleLossCall::finish() {
  if (pass_) end_pass(*pass_);
  pass_.reset();
}

void scale_loss(const at::Tensor& loss, const Optimizers& optimizers,
                const std::function<void(const at::Tensor&)>& backward, const ScaleLossOptions& options) {
  ScaleLossCall call(loss, optimizers, options);
  try {
    backward(call.scaled());
  } catch (const std::exception& error) {
    call.explain(error);
    throw;
  }
  call.finish();
}

double loss_scale(int loss_id) {
  Engine& here = engine("loss_scale");
  settle(here);
  return here.is_enabled() ? here.loss(loss_id).scaler.scale() : 1.0;
}

}  // namespace amp

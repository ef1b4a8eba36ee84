// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/stage_services.h"

#include <ATen/core/Tensor.h>

#include <utility>

#include "profiler/calls/thread_state.h"
#include "profiler/observer/session_core.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {

std::string StageServices::name_of(const at::Tensor& parameter) { return name_of(parameter.unsafeGetTensorImpl()); }

std::string StageServices::name_of(const c10::TensorImpl* parameter) {
  const Locked state = core_.lock();
  const std::string* name = state->scopes.modules.name_of(parameter);
  return name == nullptr ? "" : *name;
}

std::string StageServices::owner_of_gradient(const at::Tensor& gradient) {
  return core_.lock()->scopes.modules.owner_of(gradient.unsafeGetTensorImpl());
}

std::string StageServices::name_of_accumulated() {
  const c10::TensorImpl* parameter = accumulated_parameter();
  return parameter == nullptr ? "" : name_of(parameter);
}

at::Tensor StageServices::master_of(const at::Tensor& parameter) { return core_.lock()->masters.of(parameter); }

bool StageServices::is_open() const { return !core_.is_over.load(std::memory_order_acquire); }

std::optional<std::int64_t> StageServices::sampled_segment() {
  const Locked state = core_.lock();
  const TrainingLoop& loop = state->loops.of(ThreadState::current());
  if (!loop.sampled || !loop.steps.current().recorded) return std::nullopt;
  return loop.steps.current().id;
}

StepAhead StageServices::step_ahead() {
  const Locked state = core_.lock();
  const TrainingLoop& loop = state->loops.of(ThreadState::current());
  const StepTracker& steps = loop.steps;
  const std::int64_t number = steps.is_step_over() ? steps.current().step + 1 : steps.expected_step();
  return {.step = {.loop = loop.number, .number = number}, .has_impact = loop.choice.is_sampled(core_.options, number)};
}

void StageServices::add(const ImpactLedger::Error& error, ImpactLedger::LateEffect effect, std::uint64_t function) {
  const BackwardPass* pass = current_pass();
  if (pass != nullptr && !pass->is_of_loss) return;
  const Locked state = core_.lock();
  const ImpactLedger::Pass of{.id = pass == nullptr ? 0 : pass->id,
                              .scale = pass == nullptr ? state->scales.engine_scale() : pass->scale};
  state->impacts.add(error, state->loss_id, std::move(effect), of, function);
}

void StageServices::add_gap(const ImpactLedger::Error& error, ImpactGap gap) {
  const BackwardPass* pass = current_pass();
  if (pass != nullptr && !pass->is_of_loss) return;
  const Locked state = core_.lock();
  state->impacts.add_gap(error, state->loss_id, gap);
}

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/module_events.h"

#include <torch/nn/module.h>
#include <torch/types.h>

#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/nvtx/emit.h"
#include "profiler/observer/segments.h"
#include "profiler/observer/session_core.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {

void ModuleEvents::seen(const void* module) {
  ThreadState& thread = ThreadState::current();
  if (thread.naming) return;
  thread.naming = true;
  {
    const tensors::ObserverDisabledGuard guard;
    core_.lock()->scopes.modules.add_root(*static_cast<const torch::nn::Module*>(module));
  }
  thread.naming = false;
}

void ModuleEvents::entered(const void* module) {
  ThreadState& thread = ThreadState::current();
  std::int32_t name = ModuleScopes::kUnknown;
  {
    const Locked state = core_.lock();
    const std::string* path = state->scopes.modules.path_of(module);
    // A module that is in no registered tree counts as part of the enclosing module.
    if (path != nullptr) {
      name = state->scopes.names.id_of(*path);
    } else if (!thread.scopes.empty()) {
      name = thread.scopes.back().name;
    }
  }
  scope_entered({name, module});
}

void ModuleEvents::scope_entered(const ThreadState::Scope& scope) {
  ThreadState& thread = ThreadState::current();
  const bool outermost = thread.scopes.empty();
  thread.scopes.push_back(scope);
  thread.scopes.back().call_group = thread.new_call_group();
  if (core_.ranges.is_listened_to()) {
    const std::string text = core_.lock()->scopes.names.text_of(scope.name);
    emission::push(emission::Kind::Module, text.c_str());
  }
  if (!scope.is_call || !outermost || inside_backward()) return;
  const Locked state = core_.lock();
  TrainingLoop& loop = state->loops.of(thread);
  // Modules that other threads call do not affect the steps of a loop that has a thread of its own.
  if (loop.owner >= 0 && loop.owner != thread.number) return;
  if (c10::GradMode::is_enabled()) {
    // Results that a module computes before the first graph, such as masks, belong to the first step.
    if (loop.steps.current().step == 0) loop.steps.held().open();
    return;
  }
  const auto finished = loop.steps.inference_module_entered(scope.identity, core_.clock.now_ns());
  segments_.finish(state, loop, finished);
  if (finished) core_.trace.gradients.clear();
}

void ModuleEvents::scope_left() {
  ThreadState& thread = ThreadState::current();
  if (thread.scopes.empty()) return;
  thread.scopes.pop_back();
  if (core_.ranges.is_listened_to()) emission::pop();
}

std::int32_t ModuleEvents::intern(const char* name) { return core_.lock()->scopes.names.id_of(name); }

void ModuleEvents::parameter_named(void* tensor, const char* name) {
  core_.lock()->scopes.modules.add_parameter(static_cast<c10::TensorImpl*>(tensor), name);
}

std::string ModuleEvents::path_making_call(c10::ArrayRef<c10::IValue> arguments) {
  const Locked state = core_.lock();
  const auto& scopes = ThreadState::current().scopes;
  const std::int32_t scope = scopes.empty() ? ModuleScopes::kUnknown : scopes.back().name;
  return state->scopes.names.text_of(state->scopes.module_around(arguments, scope, core_.missing));
}

}  // namespace ampprof::profiler

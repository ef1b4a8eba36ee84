// SPDX-License-Identifier: Apache-2.0
// Modules that the program enters and leaves, and the names of their parameters.

#include <torch/nn/module.h>
#include <torch/types.h>

#include "precision/reference/quiet.h"
#include "profiler/nvtx/emit.h"
#include "profiler/observer/session.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {

void Session::module_seen(const void* module) {
  ThreadState& thread = ThreadState::current();
  if (thread.naming) return;
  thread.naming = true;
  {
    const Quiet quiet;
    const auto lock = locked();
    module_names_.add_root(*static_cast<const torch::nn::Module*>(module));
  }
  thread.naming = false;
}

void Session::module_entered(const void* module) {
  ThreadState& thread = ThreadState::current();
  std::int32_t name = kUnknownModule;
  {
    const auto lock = locked();
    const std::string* path = module_names_.path_of(module);
    // A module that no known tree holds runs as a part of what is around it.
    if (path != nullptr) {
      name = names_.id_of(*path);
    } else if (!thread.scopes.empty()) {
      name = thread.scopes.back().name;
    }
  }
  scope_entered(name, module);
}

void Session::scope_entered(std::int32_t name, const void* identity) {
  ThreadState& thread = ThreadState::current();
  const bool outermost = thread.scopes.empty();
  thread.scopes.push_back({name, identity});
  if (is_listened_to_) emission::push(emission::Kind::Module, text_of(name).c_str());
  if (!outermost || c10::GradMode::is_enabled() || inside_backward()) return;
  const auto lock = locked();
  Course& course = course_of(thread);
  // Beside a training, inference is part of its steps.
  if (course.owner >= 0 && course.owner != thread.number) return;
  const auto finished = course.steps.inference_module_entered(identity, now_ns());
  finish_segment(course, finished);
  if (finished) trace_.clear();
}

void Session::scope_left() {
  ThreadState& thread = ThreadState::current();
  if (thread.scopes.empty()) return;
  thread.scopes.pop_back();
  if (is_listened_to_) emission::pop();
}

std::string Session::text_of(std::int32_t name) {
  const auto lock = locked();
  return names_.text_of(name);
}

std::int32_t Session::intern(const char* name) {
  const auto lock = locked();
  return names_.id_of(name);
}

void Session::parameter_named(void* tensor, const char* name) {
  const auto lock = locked();
  module_names_.add_parameter(static_cast<c10::TensorImpl*>(tensor), name);
}

std::string Session::module_making_call(c10::ArrayRef<c10::IValue> arguments) {
  const auto lock = locked();
  const auto& scopes = ThreadState::current().scopes;
  return names_.text_of(module_around(arguments, scopes.empty() ? kUnknownModule : scopes.back().name));
}

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <string>

#include "profiler/calls/thread_state.h"

namespace ampprof::profiler {

class Segments;
struct SessionCore;

/// Handles the hooks' events: modules that the program enters and leaves, and their parameters' names. Thread-safe.
class ModuleEvents {
 public:
  ModuleEvents(SessionCore& core, Segments& segments) : core_(core), segments_(segments) {}

  /// Registers `module`, of which a member function was called, as a root of module paths. `module`: a live
  /// torch::nn::Module.
  void seen(const void* module);
  void entered(const void* module);
  /// Enters a scope. `scope.name` is from intern(), `scope.identity` is the module's address.
  void scope_entered(const ThreadState::Scope& scope);
  void scope_left();
  std::int32_t intern(const char* name);
  /// Sets the name of a parameter. `tensor` is its TensorImpl.
  void parameter_named(void* tensor, const char* name);
  /// Returns the path of the module that makes a forward call with these arguments; "" if unknown.
  std::string path_making_call(c10::ArrayRef<c10::IValue> arguments);

 private:
  SessionCore& core_;
  Segments& segments_;
};

}  // namespace ampprof::profiler

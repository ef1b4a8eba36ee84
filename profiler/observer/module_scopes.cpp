// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/module_scopes.h"

#include <torch/types.h>

#include <utility>

#include "profiler/calls/call.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {

std::int32_t ModuleScopes::module_of_parameter(const c10::TensorImpl* parameter) {
  const std::string* name = modules.name_of(parameter);
  return name == nullptr ? kUnknown : names.id_of(profiler::module_of_parameter(*name));
}

std::int32_t ModuleScopes::module_around(c10::ArrayRef<c10::IValue> arguments, std::int32_t scope,
                                         MissingNotes& missing) {
  if (scope != kUnknown) return scope;
  // Without a scope, a parameter among the arguments identifies the module.
  std::int32_t module = kUnknown;
  bool has_tensor = false;
  for_each_tensor(arguments, [&](const at::Tensor& tensor) {
    has_tensor = true;
    if (module == kUnknown) module = module_of_parameter(tensor.unsafeGetTensorImpl());
  });
  if (module == kUnknown && has_tensor) {
    if (const std::string path = script_module_path(); !path.empty()) return module_in_script(path, missing);
  }
  return module;
}

std::int32_t ModuleScopes::module_in_script(const std::string& path, MissingNotes& missing) {
  if (loses_script_module_paths() && !std::exchange(has_noted_script_paths_, true)) {
    missing.note("module paths inside TorchScript", "its profiling executor rewrites a graph after its first calls",
                 "call torch._C._jit_set_profiling_mode(False) (C++: torch::jit::getProfilingMode() = false) in the "
                 "program; this may change the last bits of results");
  }
  return names.id_of(path);
}

std::int32_t ModuleScopes::module_of(const CallContext& call, MissingNotes& missing) {
  const auto& scopes = call.thread.scopes;
  const auto module_of_node = [&] {
    const auto forward = links.forward_of(backward_sequence_number(), backward_forward_thread());
    return forward ? forward->module : kUnknown;
  };
  if (call.phase == Phase::Recompute && scopes.empty()) {
    const std::int32_t module = module_around(call.arguments(), kUnknown, missing);
    return module != kUnknown ? module : module_of_node();
  }
  if (call.phase == Phase::Backward) {
    const auto* parameter = accumulated_parameter();
    return parameter != nullptr ? module_of_parameter(parameter) : module_of_node();
  }
  // A compiled region takes the parameters of several modules, so its parameters do not identify its module.
  if (call.info.is_compiled_region) return scopes.empty() ? kUnknown : scopes.back().name;
  const bool in_scope = call.phase != Phase::Optimizer && !scopes.empty();
  return module_around(call.arguments(), in_scope ? scopes.back().name : kUnknown, missing);
}

}  // namespace ampprof::profiler

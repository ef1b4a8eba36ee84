// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <string>

#include "profiler/scopes/backward_links.h"
#include "profiler/scopes/module_names.h"
#include "profiler/scopes/names.h"

namespace ampprof::profiler {

struct CallContext;
class MissingNotes;

/// Holds the names of modules and parameters, and finds the module that makes a call. Not thread-safe.
struct ModuleScopes {
  static constexpr std::int32_t kUnknown = 0;  ///< id of the empty path

  Names names;
  ModuleNames modules;
  BackwardLinks links;

  /// Returns the id of the path of the module that makes this call. Adds a note to `missing` if TorchScript has lost
  /// module paths.
  std::int32_t module_of(const CallContext& call, MissingNotes& missing);
  /// Returns `scope`, the id of the innermost scope's module, if it is known. Otherwise returns the id of the module
  /// whose parameter is among a forward call's arguments, or else of the TorchScript module that is running.
  std::int32_t module_around(c10::ArrayRef<c10::IValue> arguments, std::int32_t scope, MissingNotes& missing);

 private:
  std::int32_t module_in_script(const std::string& path, MissingNotes& missing);
  std::int32_t module_of_parameter(const c10::TensorImpl* parameter);

  bool has_noted_script_paths_ = false;
};

}  // namespace ampprof::profiler

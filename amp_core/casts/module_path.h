// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <span>
#include <string>

namespace torch::nn {
class Module;
}

namespace amp {

/// Sets the module path of all calls in its scope, for rules that name modules: `amp::ModuleScope s("decoder");`.
///
/// The innermost scope applies. A path starts at the model's root. Destroy a scope on the thread that created it. A
/// call outside all scopes is attributed to the module that owns a parameter among the call's arguments; a view of the
/// parameter counts too. The model must have been passed to initialize().
class [[nodiscard]] ModuleScope {
 public:
  explicit ModuleScope(std::string path);
  /// Uses the path of a submodule of a model that was passed to initialize(). Has no effect for the model itself and
  /// for other modules.
  explicit ModuleScope(const torch::nn::Module& module);
  ~ModuleScope();
  ModuleScope(const ModuleScope&) = delete;
  ModuleScope& operator=(const ModuleScope&) = delete;

 private:
  std::string path_;
  const ModuleScope* outer_;

  friend std::string module_path_of(std::span<const c10::IValue> arguments);
};

/// Stores the names of a model's modules and parameters, with weak references to both. Names are paths from the root;
/// with several models, each path starts with its model's class name. initialize() calls it. Thread-safe.
void name_modules(const torch::nn::Module& model);

/// Returns "decoder.head.weight", or "" for a tensor that is not a parameter passed to name_modules(). Thread-safe.
std::string parameter_name(const at::Tensor& tensor);

/// Returns the path of the module that makes a call with these arguments; "" if unknown.
std::string module_path_of(std::span<const c10::IValue> arguments);

/// A thread-safe replacement for module_path_of().
using ModulePathSource = std::string (*)(std::span<const c10::IValue> arguments);
/// Sets the source of module paths for the whole process. The profiler sets one, because it also sees modules of models
/// that were not passed to initialize(). Null restores amp_core's own source.
void set_module_path_source(ModulePathSource source);

}  // namespace amp

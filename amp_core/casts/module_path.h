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

/// Names the module of calls made while it lives, for rules with modules: `amp::ModuleScope s("decoder");`.
///
/// The innermost scope counts. A path starts at the model's root. Destroy it on its thread. A call outside all scopes
/// belongs to the module that owns a parameter, or the base of a view, among its arguments, if initialize() got that
/// model.
class [[nodiscard]] ModuleScope {
 public:
  explicit ModuleScope(std::string path);
  /// Takes the path of a module inside a model that initialize() got; no path for any other, and for the model itself.
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

/// Returns "decoder.head.weight", or "" for a tensor that is not a known parameter. Thread-safe.
std::string parameter_name(const at::Tensor& tensor);

/// Returns the module that makes a call with these arguments; "" if unknown.
std::string module_path_of(std::span<const c10::IValue> arguments);

/// A function that answers module_path_of(). It must be thread-safe.
using ModulePathSource = std::string (*)(std::span<const c10::IValue> arguments);
/// Sets the source of module paths for the whole process, for one that sees more of the program, such as a profiler.
/// Null restores amp_core's own.
void set_module_path_source(ModulePathSource source);

}  // namespace amp

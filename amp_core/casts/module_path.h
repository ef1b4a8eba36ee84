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

/// Names the place of the calls made while it lives, for rules that hold in a module: `amp::ModuleScope s("decoder");`.
///
/// The innermost one counts; a path is a whole one, from the model's root. Must die on its thread. A call that no scope
/// covers belongs to the module that owns a parameter, or the base of a view, among its arguments, as far as
/// initialize() got that model.
class [[nodiscard]] ModuleScope {
 public:
  explicit ModuleScope(std::string path);
  /// The path of a module inside a model that initialize() got; nothing for any other, and for the model itself.
  explicit ModuleScope(const torch::nn::Module& module);
  ~ModuleScope();
  ModuleScope(const ModuleScope&) = delete;
  ModuleScope& operator=(const ModuleScope&) = delete;

 private:
  std::string path_;
  const ModuleScope* outer_;

  friend std::string module_path_of(std::span<const c10::IValue> arguments);
};

/// Learns the names of a model's modules and parameters; both are referred to weakly. Names are paths from the root;
/// where several models live, each path starts with its model's class name. initialize() calls it. Thread-safe.
void name_modules(const torch::nn::Module& model);

/// "decoder.head.weight", or "" for a tensor that is no known parameter. Thread-safe.
std::string parameter_name(const at::Tensor& tensor);

/// The module that makes a call with these arguments; "" where that is unknown.
std::string module_path_of(std::span<const c10::IValue> arguments);

/// Who answers module_path_of() instead, for one that sees more of the program, such as a profiler. Null: nobody.
/// Counts for the whole process; the function must be thread-safe.
using ModulePathSource = std::string (*)(std::span<const c10::IValue> arguments);
void set_module_path_source(ModulePathSource source);

}  // namespace amp

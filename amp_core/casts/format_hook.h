// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace amp {

struct Policy;

/// Runs a call in recipes: takes its arguments, cast as the policy in force says, and returns its result, which
/// autograd can differentiate.
using FormatRun = std::function<at::Tensor(std::span<const c10::IValue> arguments)>;

/// A call of one of recipe_operators(), before its arguments are cast: its weight can be told from what is computed.
struct FormatCall {
  const c10::FunctionSchema& schema;
  std::span<const c10::IValue> arguments;
  std::string module;  ///< path of the module that makes it; "" where none is known
};

/// The recipes of a policy, and which call gets which. Immutable.
class FormatPlan {
 public:
  virtual ~FormatPlan() = default;

  /// Returns how a call is run; empty where it runs as it does without recipes: no recipe names it, or none takes it.
  virtual std::optional<FormatRun> run_of(const FormatCall& call) const = 0;
};

/// Rounds operands of matmuls for the engine, which knows no format itself. libamp_formats.so has the only one.
/// Thread-safe. Errors of recipes are Error.
class FormatHook {
 public:
  virtual ~FormatHook() = default;

  /// Throws Error for a recipe that there is not, or a file that cannot be read.
  virtual std::shared_ptr<const FormatPlan> plan_of(const Policy& policy) = 0;
  /// Throws Error unless there is a recipe of this name, or in a file of it.
  virtual void check(const std::string& recipe) = 0;
  /// Forgets delayed scales and restarts random numbers, so that two runs in one process are alike.
  virtual void restart() = 0;
  /// Sets whether stderr names the layers that recipes leave unchanged.
  virtual void say_what_is_left(bool on) = 0;
};

/// Registers the hook of this process; it must live as long. libamp_formats.so calls it when it is loaded.
void register_format_hook(FormatHook& hook);

/// Returns the hook. If none is registered yet, loads libamp_formats.so from the folder of libamp_core.so. Throws Error
/// if it cannot be loaded. Thread-safe.
FormatHook& format_hook();

/// Restarts the hook, and tells it now, or when it is registered, whether it says what is left.
void restart_formats(bool says_what_is_left);

}  // namespace amp

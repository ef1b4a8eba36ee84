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

/// Runs a call in recipes: takes its arguments, cast by the policy in force, and returns its result, which autograd can
/// differentiate.
using FormatRun = std::function<at::Tensor(std::span<const c10::IValue> arguments)>;

/// A call of one of recipe_operators(), before its arguments are cast, so that its weight can be recognized.
struct FormatCall {
  const c10::FunctionSchema& schema;
  std::span<const c10::IValue> arguments;
  std::string module;  ///< path of the calling module; "" if unknown
};

/// The recipes of a policy by call. Immutable.
class FormatPlan {
 public:
  virtual ~FormatPlan() = default;

  /// Returns how to run a call; empty if it runs without recipes, because no recipe names it or takes it.
  virtual std::optional<FormatRun> run_of(const FormatCall& call) const = 0;
};

/// Rounds operands of matmuls for the engine, which does not know formats. libamp_formats.so has the only
/// implementation. Thread-safe. Errors of recipes are Error.
class FormatHook {
 public:
  virtual ~FormatHook() = default;

  /// Throws Error for an unknown recipe or an unreadable file.
  virtual std::shared_ptr<const FormatPlan> plan_of(const Policy& policy) = 0;
  /// Throws Error unless a recipe has this name or a file contains one.
  virtual void check(const std::string& recipe) = 0;
  /// Drops delayed scales and restarts random numbers, so that two runs in one process are equal.
  virtual void restart() = 0;
  /// Sets whether stderr names the layers that recipes leave unchanged.
  virtual void say_what_is_left(bool on) = 0;
};

/// Registers the hook of this process, which must outlive its use. libamp_formats.so calls it when it is loaded.
void register_format_hook(FormatHook& hook);

/// Returns the hook. If none is registered yet, loads libamp_formats.so from the folder of libamp_core.so. Throws Error
/// if it cannot be loaded. Thread-safe.
FormatHook& format_hook();

/// Restarts the hook, and sets, now or when it is registered, whether it reports unchanged layers.
void restart_formats(bool says_what_is_left);

}  // namespace amp

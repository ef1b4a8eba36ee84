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

/// Runs a call with matmul operands rounded by recipes. Takes the arguments, already cast by the policy in force, and
/// returns the result, which autograd can differentiate.
using RecipeCall = std::function<at::Tensor(std::span<const c10::IValue> arguments)>;

/// A call of one of recipe_operators() before its arguments are cast, so that the weight is still the parameter itself
/// and can be recognized.
struct FormatCall {
  const c10::FunctionSchema& schema;
  std::span<const c10::IValue> arguments;
  std::string module;  ///< path of the calling module; "" if unknown
};

/// Finds the recipes that a policy has for a call. Immutable.
class RecipePlan {
 public:
  virtual ~RecipePlan() = default;

  /// Returns a function that runs the call with its recipes; empty if the policy has no recipe for the call, or the
  /// recipe does not support the call.
  virtual std::optional<RecipeCall> run_of(const FormatCall& call) const = 0;
};

/// Interface through which the engine rounds operands of matmuls, since it has no code for formats itself.
/// libamp_formats.so has the only implementation. Thread-safe. Invalid recipes throw Error.
class RecipeHook {
 public:
  virtual ~RecipeHook() = default;

  /// Returns the plan of a policy. Throws Error for an unknown recipe or an unreadable file.
  virtual std::shared_ptr<const RecipePlan> plan_of(const Policy& policy) = 0;
  /// Throws Error unless `recipe` is the name of a recipe, or a file that contains one.
  virtual void check(const std::string& recipe) = 0;
  /// Drops the history of delayed scaling and resets the random numbers, so that a second training in this process
  /// gives the same results as the first.
  virtual void restart() = 0;
  /// Sets whether stderr names the layers that recipes leave unchanged.
  virtual void report_unquantized_layers(bool on) = 0;
};

/// Registers the hook of this process. The hook must stay alive until the process ends. libamp_formats.so calls this
/// function when it is loaded.
void register_format_hook(RecipeHook& hook);

/// Returns the hook. If none is registered yet, loads libamp_formats.so from the folder of libamp_core.so. Throws Error
/// if the library cannot be loaded. Thread-safe.
RecipeHook& format_hook();

/// Calls restart() and report_unquantized_layers() of the hook if it is registered. A hook that is registered later
/// gets the value of `says_what_is_left` too.
void reset_recipe_state(bool says_what_is_left);

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "precision/recipes/plan.h"

namespace amp::recipes {

/// Runs a call in recipes: takes its arguments, cast as the policy in force says, and returns its result, which
/// autograd can differentiate.
using Run = std::function<at::Tensor(std::span<const c10::IValue> arguments)>;

/// A call of one of recipe_operators(), before its arguments are cast: its weight can be told from what is computed.
struct Call {
  const c10::FunctionSchema& schema;
  std::span<const c10::IValue> arguments;
  std::string module;  ///< path of the module that makes it; "" where none is known
};

/// Returns how a call is run; empty where it runs as it does without recipes: no recipe names it, or none takes it.
std::optional<Run> run_of(const Plan& plan, const Call& call);

/// Returns whether this op ("lstm", "gru_cell") is a recurrent network: no recipe takes the matmuls inside it.
bool is_recurrent(std::string_view op);

}  // namespace amp::recipes

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "amp_core/policy/cast_rule.h"

namespace amp {

/// Register functions that run in another type than the list says, or that are on no list. `op` is an operator
/// ("softmax", "add.Tensor", "mylib::op") or a function of torch.nn.functional ("cross_entropy"). With a `module`
/// ("decoder", "encoder.layers.*") the rule holds in that module and its submodules. Registrations replace the list's
/// rules, and later ones replace earlier ones (Policy).
///
/// Registrations apply to the next initialize() at O1, or enable_casts_on_this_thread(), of the calling thread, which
/// also clears them. Throws Error for an unknown op, naming near ones, and after initialize().
void register_half_function(const std::string& op, const std::string& module = "");
void register_float_function(const std::string& op, const std::string& module = "");
void register_promote_function(const std::string& op, const std::string& module = "");

/// Registers all rules and directives of a policy file. For a wrong one, throws Error, "path:line: ...", and registers
/// nothing.
void load_policy(const std::string& path);

}  // namespace amp

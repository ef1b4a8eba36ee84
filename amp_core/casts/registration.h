// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "amp_core/policy/cast_rule.h"

namespace amp {

/// Functions that are to run in another type than the list says, or that are on no list. `op` is an operator
/// ("softmax", "add.Tensor", "mylib::op") or a function of torch.nn.functional ("cross_entropy"); with a `module`
/// ("decoder", "encoder.layers.*") the rule holds in that module and all inside it. They beat the list outright, and
/// later ones earlier ones (Policy).
///
/// They count for the next initialize() at O1, or enable_casts_on_this_thread(), of the calling thread, which uses them
/// up. Throws Error for an unknown op, naming near ones, and after initialize().
void register_half_function(const std::string& op, const std::string& module = "");
void register_float_function(const std::string& op, const std::string& module = "");
void register_promote_function(const std::string& op, const std::string& module = "");

/// Registers all rules and directives of a policy file. Throws Error, "path:line: ...", for one that is wrong; then
/// none of them counts.
void load_policy(const std::string& path);

}  // namespace amp

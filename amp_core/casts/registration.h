// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "amp_core/policy/cast_rule.h"

namespace amp {

/// Registers a function that is to run in the low type (FP16 or BF16), whether or not the cast list has it. `op` is an
/// operator ("softmax", "add.Tensor", "mylib::op") or a function of torch.nn.functional ("cross_entropy"). With a
/// `module` ("decoder", "encoder.layers.*") the rule applies in that module and its submodules. Rules override the
/// list, and later rules override earlier ones (Policy).
///
/// Rules apply to the calling thread's next initialize() at O1 or enable_casts_on_this_thread(); that call also clears
/// them. Throws Error for an unknown op, with similar names, and after initialize().
void register_half_function(const std::string& op, const std::string& module = "");
/// Registers a function that is to run in FP32. See register_half_function().
void register_float_function(const std::string& op, const std::string& module = "");
/// Registers a function that is to run in the widest type of its arguments. See register_half_function().
void register_promote_function(const std::string& op, const std::string& module = "");

/// Registers all rules and directives of a policy file. If the file is invalid, throws Error, "path:line: ...", and
/// registers nothing.
void load_policy(const std::string& path);

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "amp_core/levels/reduced_type.h"
#include "amp_core/policy/cast_rule.h"
#include "amp_core/policy/format_rule.h"

namespace amp {

/// Maps functions to types: a list that comes with the engine, and the user's rules, which override the list.
///
/// As text, one rule per line, in any order with directives; `#` starts a comment:
///
///     use native                     # or apex, the default: the list underneath
///     low_type bf16                  # or fp16, the default
///     softmax fp32                   # fp16, fp32, fp32_output, promote or banned
///     linear fp32 in decoder.head    # in that module and its submodules
///     bmm fp32 in encoder.layers.*.attention
///     recipe mxfp8                   # rounds the operands of matmuls; a recipe's name or file
///     linear nvfp4 in decoder        # another recipe for these calls
///     decoder.*.fc2 dgrad bf16       # does not quantize this matmul in these modules
///
/// Precedence, in this order: a rule with a module beats one without, a name with overload ("pow.Scalar") beats one
/// without, and later lines beat earlier ones.
struct Policy {
  std::string list = "apex";
  ReducedType low_type = ReducedType::Float16;  ///< the meaning of `fp16`: the type for Tensor Cores
  std::vector<CastRule> rules = {};
  std::string recipe = {};  ///< applies to all matmuls without a rule in `formats`; "": these are not quantized
  std::vector<FormatRule> formats = {};

  bool has_recipe() const { return !recipe.empty() || !formats.empty(); }
  bool operator==(const Policy&) const = default;
};

/// Reduces a policy to its recipes and its FP32 rules, for a level without casts. (A recipe does not apply to a
/// function with an FP32 rule.)
void keep_only_recipes(Policy& policy);

/// Throws Error for a rule that cannot apply, such as one for an unknown op. The parser adds source and line to the
/// error.
using RuleCheck = std::function<void(const CastRule&)>;
/// Throws Error for a recipe that does not exist. The parser adds source and line to the error.
using FormatCheck = std::function<void(const std::string& recipe)>;

/// Throws Error, "source:line: what is wrong", for a text that is not a policy.
Policy parse_policy(std::string_view text, const std::string& source, const RuleCheck& check = {},
                    const FormatCheck& check_format = {});

/// Reads a text into an existing policy: directives replace its settings, rules are added as later lines. Throws Error
/// as parse_policy() does.
void read_policy(Policy& policy, std::string_view text, const std::string& source, const RuleCheck& check = {},
                 const FormatCheck& check_format = {});

/// Writes a policy in the form that parse_policy() reads.
std::string to_text(const Policy& policy);

/// Returns the content of a file. Throws Error, naming the file, if the file cannot be read.
std::string policy_file_text(const std::string& path);

}  // namespace amp

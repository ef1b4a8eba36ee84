// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace amp {

/// Defines how the floating arguments of an op are cast. FP64 is never cast. The low type is FP16 or BF16, whichever is
/// in force.
enum class CastPolicy : std::uint8_t {
  Pass,         ///< no cast: runs in the types of its arguments
  Low,          ///< all to the low type
  Fp32,         ///< all to FP32
  Fp32Output,   ///< the result in FP32, by setting `dtype` unless the program does; like Fp32 if the op has no `dtype`
  Promote,      ///< all to FP32 if any of them is FP32
  Banned,       ///< an error if any argument is low
  MatchSelf,    ///< in-place forms: casts the other arguments to the type of the written tensor
  RefuseLow,    ///< in-place forms of Fp32 ops: an error if the written tensor is low
  RefuseMixed,  ///< no cast; an error if low and FP32 tensors meet
};

/// Returns the policy that a word of a list stands for: fp16 (the low type in force, also if that is BF16), fp32,
/// fp32_output, promote, banned. Empty for any other word.
std::optional<CastPolicy> cast_policy_from(std::string_view word);
/// Returns the word for a policy; "" if it has none.
std::string_view word_of(CastPolicy policy);

/// Returns the policy of the in-place form of an op ("exp_" if `policy` is that of "exp").
CastPolicy in_place(CastPolicy policy);

/// Name of an operator: base "add", overload "Tensor". Ops outside the aten namespace keep their namespace: base
/// "mylib::op".
struct OpName {
  std::string base;
  std::string overload;

  auto operator<=>(const OpName&) const = default;
};

/// Splits "add.Tensor"; the overload of "relu" is "". Drops "aten::".
OpName op_name_from(std::string_view text);

/// Tells whether a name is that of an in-place form, such as "add_" for "add"; "__pow__" and "_" are not.
bool is_in_place(std::string_view base);

/// One line of a cast list or a policy file: `softmax fp32`, or `linear fp32 in decoder.head`.
struct CastRule {
  std::string op;  ///< "pow" (all overloads), "pow.Scalar" (this overload) or "mylib::op"
  CastPolicy policy = CastPolicy::Pass;
  std::string module = {};  ///< pattern (module_pattern.h); "" is everywhere

  bool operator==(const CastRule&) const = default;
};

/// Parses a line. Returns nothing for an empty line or a comment. Throws Error for an invalid line.
std::optional<CastRule> cast_rule_from(std::string_view line);

/// Throws Error if cast_rule_from() could not read the same rule from the line that to_text() writes.
void check_rule(const CastRule& rule);

/// Writes the line that cast_rule_from() reads.
std::string to_text(const CastRule& rule);

}  // namespace amp

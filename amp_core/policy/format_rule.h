// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace amp {

/// Returns the operators whose matmuls recipes support, in alphabetical order.
std::span<const std::string_view> recipe_operators();

/// One line of a policy about the operands of matmuls:
///
///     linear nvfp4 in decoder
///     decoder.*.fc2 dgrad bf16
///
/// Members are strings, since the engine is installed without ampprof's types for matmuls and recipes.
struct FormatRule {
  std::string function = {};  ///< a function with matmuls, "linear" or "conv2d"; "" for all of them
  std::string matmul = {};    ///< "fprop", "dgrad" or "wgrad"; "" for all three
  std::string format = {};    ///< name of a recipe or of its file; bf16 or fp32 for no recipe
  std::string module = {};    ///< pattern (module_pattern.h); "" is everywhere

  /// Returns false for bf16 and fp32: operands keep the type of the program or of the policy.
  bool is_quantized() const;
  bool operator==(const FormatRule&) const = default;
};

/// Tells whether a function has an operator that recipes support.
bool has_matmuls(std::string_view function);

/// Tells whether a word can be the name of a format or a file: whether it has a digit, a dot or a slash, and is not the
/// word of a cast policy.
bool is_format(std::string_view word);

/// Parses the words of a line; empty if they are not a rule about operands. Throws Error for an invalid rule.
std::optional<FormatRule> format_rule_from(std::span<const std::string_view> words);

/// Writes the line that format_rule_from() reads.
std::string to_text(const FormatRule& rule);

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace amp {

/// The operators whose matmuls a recipe takes, in alphabetical order.
std::span<const std::string_view> recipe_operators();

/// One line of a policy about the operands of matmuls: `linear nvfp4 in decoder`, or `decoder.*.fc2 dgrad bf16`. It
/// keeps words, since the engine is installed without ampprof's types of matmuls and recipes.
struct FormatRule {
  std::string function = {};  ///< a function with matmuls, "linear" or "conv2d"; "" for all of them
  std::string matmul = {};    ///< "fprop", "dgrad" or "wgrad"; "" for all three
  std::string format = {};    ///< name of a recipe, or of a recipe's file, or bf16 or fp32 for none
  std::string module = {};    ///< pattern (module_pattern.h); "" is everywhere

  /// False for bf16 and fp32: operands stay what the program, or the policy, computes in.
  bool is_quantized() const;
  bool operator==(const FormatRule&) const = default;
};

/// Whether a function's name stands for operators that a recipe takes.
bool has_matmuls(std::string_view function);

/// Whether a word can be the name of a format, or a file's: it has a digit, a dot or a slash, and no cast has that
/// name.
bool is_format(std::string_view word);

/// Reads the words of a line; nothing where they are no such rule. Throws Error for one that cannot be.
std::optional<FormatRule> format_rule_from(std::span<const std::string_view> words);

std::string to_text(const FormatRule& rule);

}  // namespace amp

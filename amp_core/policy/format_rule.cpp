// SPDX-License-Identifier: Apache-2.0
#include "amp_core/policy/format_rule.h"

#include <algorithm>
#include <array>

#include "amp_core/levels/error.h"
#include "amp_core/policy/cast_rule.h"
#include "amp_core/policy/function_names.h"
#include "amp_core/policy/module_pattern.h"

namespace amp {
namespace {

constexpr std::array<std::string_view, 15> kOperators{"_convolution",
                                                      "addmm",
                                                      "baddbmm",
                                                      "bmm",
                                                      "conv1d",
                                                      "conv2d",
                                                      "conv3d",
                                                      "conv_transpose1d",
                                                      "conv_transpose2d",
                                                      "conv_transpose3d",
                                                      "convolution",
                                                      "linear",
                                                      "matmul",
                                                      "mm",
                                                      "scaled_dot_product_attention"};

constexpr std::array<std::string_view, 3> kMatmuls{"fprop", "dgrad", "wgrad"};

bool is_matmul(std::string_view word) { return std::ranges::find(kMatmuls, word) != kMatmuls.end(); }

std::string function_list() {
  std::string list;
  for (const std::string_view op : kOperators) list += (list.empty() ? "" : ", ") + std::string(op);
  return list;
}

/// Removes `in MODULE` from the end of a line, and returns the module.
std::optional<std::string> module_of(std::span<const std::string_view>& words) {
  if (words.size() < 3 || words[words.size() - 2] != "in") return std::nullopt;
  std::string module(words.back());
  words = words.first(words.size() - 2);
  return module;
}

void name_place(FormatRule& rule, std::string_view first, const std::optional<std::string>& module) {
  if (has_matmuls(first)) {
    rule.function = first;
    rule.module = module.value_or("");
  } else if (!module) {
    rule.module = first;
  } else {
    throw Error("No recipe applies to \"" + std::string(first) + "\"; functions with matmuls are " + function_list() +
                '.');
  }
  if (!rule.module.empty()) check_module_pattern(rule.module);
}

}  // namespace

std::span<const std::string_view> recipe_operators() { return kOperators; }

bool FormatRule::is_quantized() const { return format != "bf16" && format != "fp32"; }

bool has_matmuls(std::string_view function) {
  const auto operators = operators_of(function);
  return std::ranges::any_of(operators, [](const std::string& op) {
    return std::ranges::find(kOperators, op_name_from(op).base) != kOperators.end();
  });
}

bool is_format(std::string_view word) {
  if (cast_policy_from(word)) return false;
  return std::ranges::any_of(
      word, [](char letter) { return (letter >= '0' && letter <= '9') || letter == '.' || letter == '/'; });
}

std::optional<FormatRule> format_rule_from(std::span<const std::string_view> words) {
  const auto module = module_of(words);
  const bool names_matmul = words.size() == 3 && is_matmul(words[1]);
  if (words.size() != 2 && !names_matmul) return std::nullopt;
  const std::string_view format = words.back();
  // Rules for casts use the same words: "linear fp32" is a cast, "linear dgrad fp32" is not.
  if (!is_format(format) && !(names_matmul && (format == "fp32" || format == "fp16"))) return std::nullopt;
  FormatRule rule{.matmul = std::string(names_matmul ? words[1] : ""), .format = std::string(format)};
  name_place(rule, words.front(), module);
  return rule;
}

std::string to_text(const FormatRule& rule) {
  std::string text = rule.function.empty() ? rule.module : rule.function;
  if (!rule.matmul.empty()) text += ' ' + rule.matmul;
  text += ' ' + rule.format;
  const bool is_in_module = !rule.function.empty() && !rule.module.empty();
  return is_in_module ? text + " in " + rule.module : text;
}

}  // namespace amp

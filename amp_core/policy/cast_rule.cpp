// SPDX-License-Identifier: Apache-2.0
#include "amp_core/policy/cast_rule.h"

#include <algorithm>
#include <array>
#include <utility>

#include "amp_core/levels/properties.h"
#include "amp_core/policy/module_pattern.h"
#include "amp_core/policy/words.h"

namespace amp {
namespace {

constexpr std::array kWords{
    std::pair{std::string_view("fp16"), CastPolicy::Low},
    std::pair{std::string_view("fp32"), CastPolicy::Fp32},
    std::pair{std::string_view("fp32_output"), CastPolicy::Fp32Output},
    std::pair{std::string_view("promote"), CastPolicy::Promote},
    std::pair{std::string_view("banned"), CastPolicy::Banned},
};

bool is_op_character(char letter) {
  const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  return is_letter || (letter >= '0' && letter <= '9') || letter == '_' || letter == '.' || letter == ':';
}

bool is_op_name(std::string_view name) {
  const bool has_end = name.front() == '.' || name.back() == '.' || name.front() == ':' || name.back() == ':';
  return !has_end && std::ranges::all_of(name, is_op_character);
}

}  // namespace

std::optional<CastPolicy> cast_policy_from(std::string_view word) {
  for (const auto& [name, policy] : kWords) {
    if (name == word) return policy;
  }
  return {};
}

std::string_view word_of(CastPolicy policy) {
  for (const auto& [name, named] : kWords) {
    if (named == policy) return name;
  }
  return {};
}

CastPolicy in_place(CastPolicy policy) {
  switch (policy) {
    case CastPolicy::Low:
    case CastPolicy::Promote:
      return CastPolicy::MatchSelf;
    case CastPolicy::Fp32:
    case CastPolicy::Fp32Output:
      return CastPolicy::RefuseLow;
    default:
      return policy;
  }
}

OpName op_name_from(std::string_view text) {
  if (text.starts_with("aten::")) text.remove_prefix(6);
  const auto dot = text.find('.');
  if (dot == std::string_view::npos) return {std::string(text), ""};
  return {std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
}

bool is_in_place(std::string_view base) { return base.size() > 1 && base.back() == '_' && !base.ends_with("__"); }

void check_rule(const CastRule& rule) {
  if (rule.op.empty() || !is_op_name(rule.op)) {
    throw Error("\"" + rule.op + "\" is not the name of an op. Names look like softmax, add.Tensor or mylib::op.");
  }
  if (word_of(rule.policy).empty()) {
    throw Error("The op " + rule.op + " needs a cast: fp16, fp32, fp32_output, promote or banned.");
  }
  if (!rule.module.empty()) check_module_pattern(rule.module);
}

std::optional<CastRule> cast_rule_from(std::string_view line) {
  const auto words = words_of(line);
  if (words.empty()) return {};
  const bool is_everywhere = words.size() == 2;
  const bool is_in_module = words.size() == 4 && words[2] == "in";
  const auto policy = is_everywhere || is_in_module ? cast_policy_from(words[1]) : std::nullopt;
  if (!policy) {
    throw Error(
        "this line is not a rule. Write a cast (\"linear fp32 in decoder.head\", with one of fp16, fp32, fp32_output, "
        "promote and banned), a format (\"decoder.* dgrad mxfp8\" or \"linear mxfp8 in decoder\"), or use, low_type or "
        "recipe with a name.");
  }
  CastRule rule{std::string(words[0]), *policy, std::string(is_in_module ? words[3] : "")};
  check_rule(rule);
  return rule;
}

std::string to_text(const CastRule& rule) {
  std::string text = rule.op + ' ' + std::string(word_of(rule.policy));
  return rule.module.empty() ? text : text + " in " + rule.module;
}

}  // namespace amp

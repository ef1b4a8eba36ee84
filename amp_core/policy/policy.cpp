// SPDX-License-Identifier: Apache-2.0
#include "amp_core/policy/policy.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>

#include "amp_core/levels/properties.h"
#include "amp_core/policy/cast_list.h"
#include "amp_core/policy/words.h"

namespace amp {
namespace {

ReducedType low_type_from(std::string_view word) {
  if (const auto type = reduced_type_named(word)) return *type;
  std::string names;
  for (const ReducedTypeInfo& type : kReducedTypes) names += (names.empty() ? "" : " or ") + std::string(type.name);
  throw Error("\"" + std::string(word) + "\" is not a low type; it must be " + names + '.');
}

/// Reads a directive or rule about formats into the policy; returns false for other words.
bool read_format(Policy& policy, std::span<const std::string_view> words, const FormatCheck& check) {
  const bool is_directive = words.size() == 2 && words[0] == "recipe";
  const auto rule = is_directive ? std::nullopt : format_rule_from(words);
  if (!is_directive && !rule) return false;
  if (check && (is_directive || rule->is_quantized())) check(is_directive ? std::string(words[1]) : rule->format);
  if (is_directive) policy.recipe = words[1];
  if (rule) policy.formats.push_back(*rule);
  return true;
}

void read_line(Policy& policy, std::string_view line, const RuleCheck& check, const FormatCheck& check_format) {
  const auto words = words_of(line);
  if (words.size() == 2 && words[0] == "use") {
    policy.list = list_named(words[1]).name;
  } else if (words.size() == 2 && words[0] == "low_type") {
    policy.low_type = low_type_from(words[1]);
  } else if (read_format(policy, words, check_format)) {
    return;
  } else if (const auto rule = cast_rule_from(line)) {
    if (check) check(*rule);
    policy.rules.push_back(*rule);
  }
}

}  // namespace

void read_policy(Policy& policy, std::string_view text, const std::string& source, const RuleCheck& check,
                 const FormatCheck& check_format) {
  for (int number = 1; !text.empty(); ++number) {
    const auto line = text.substr(0, text.find('\n'));
    try {
      read_line(policy, line, check, check_format);
    } catch (const Error& error) {
      throw Error(source + ':' + std::to_string(number) + ": " + error.what());
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
}

void keep_only_recipes(Policy& policy) {
  policy.list = kNoList;
  std::erase_if(policy.rules, [](const CastRule& rule) { return rule.policy != CastPolicy::Fp32; });
}

Policy parse_policy(std::string_view text, const std::string& source, const RuleCheck& check,
                    const FormatCheck& check_format) {
  Policy policy;
  read_policy(policy, text, source, check, check_format);
  return policy;
}

std::string to_text(const Policy& policy) {
  std::string text;
  if (policy.list != Policy().list) text += "use " + policy.list + '\n';
  if (policy.low_type != Policy().low_type) text += "low_type " + std::string(info_of(policy.low_type).name) + '\n';
  for (const auto& rule : policy.rules) text += to_text(rule) + '\n';
  if (!policy.recipe.empty()) text += "recipe " + policy.recipe + '\n';
  for (const auto& rule : policy.formats) text += to_text(rule) + '\n';
  return text;
}

std::string policy_file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  file.peek();  // detects a folder, which can be opened but not read
  if (!file.is_open() || file.bad()) {
    throw Error("The policy file " + path + " cannot be read. Check that it exists, and its permissions.");
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/cast_list.h"

#include <sstream>

#include "amp_core/levels/properties.h"

namespace amp {
namespace {

CastPolicy in_place(CastPolicy policy) {
  switch (policy) {
    case CastPolicy::Fp16:
    case CastPolicy::Promote:
      return CastPolicy::MatchSelf;
    case CastPolicy::Fp32:
      return CastPolicy::RefuseHalf;
    default:
      return policy;
  }
}

/// "add_" is the in-place form of "add"; "__pow__" and "_" are names of their own.
bool is_in_place(std::string_view base) { return base.size() > 1 && base.back() == '_' && !base.ends_with("__"); }

bool has_out_argument(std::string_view overload) { return overload.ends_with("out") || overload == "out_mode"; }

}  // namespace

std::optional<CastPolicy> cast_policy_from(std::string_view word) {
  if (word == "fp16") return CastPolicy::Fp16;
  if (word == "fp32") return CastPolicy::Fp32;
  if (word == "promote") return CastPolicy::Promote;
  if (word == "banned") return CastPolicy::Banned;
  return {};
}

OpName op_name_from(std::string_view text) {
  const auto dot = text.find('.');
  if (dot == std::string_view::npos) return {std::string(text), ""};
  return {std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
}

CastList::CastList(std::string_view text) {
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string op;
    std::string word;
    std::string rest;
    if (!(words >> op)) continue;
    words >> word;
    const auto policy = cast_policy_from(word);
    if (!policy || words >> rest) {
      throw Error("Line " + std::to_string(number) + " of a cast list is \"" + line +
                  "\"; it should be an op and one of fp16, fp32, promote, banned.");
    }
    policies_[op] = *policy;
  }
}

CastPolicy CastList::policy_of(const OpName& op) const {
  const auto listed = [&](std::string_view base) -> std::optional<CastPolicy> {
    if (!op.overload.empty()) {
      const auto exact = policies_.find(std::string(base) + '.' + op.overload);
      if (exact != policies_.end()) return exact->second;
    }
    const auto bare = policies_.find(base);
    if (bare == policies_.end() || has_out_argument(op.overload)) return {};
    return bare->second;
  };
  if (const auto policy = listed(op.base)) return *policy;
  if (!is_in_place(op.base)) return CastPolicy::Pass;
  return in_place(listed(std::string_view(op.base).substr(0, op.base.size() - 1)).value_or(CastPolicy::Pass));
}

std::vector<std::string> CastList::names() const {
  std::vector<std::string> names;
  for (const auto& [name, policy] : policies_) names.push_back(name);
  return names;
}

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#include "amp_core/policy/cast_list.h"

#include <array>

#include "amp_core/levels/properties.h"
#include "amp_core/policy/apex_list.h"
#include "amp_core/policy/native_list.h"
#include "amp_core/policy/policy.h"

namespace amp {
namespace {

bool has_out_argument(std::string_view overload) { return overload.ends_with("out") || overload == "out_mode"; }

}  // namespace

const NamedList& list_named(std::string_view name) {
  static const std::array kLists{
      NamedList{"apex", kApexList, true},
      NamedList{"native", kNativeList, false, kNativeListOfVersions},
      NamedList{kNoList, "", false},
  };
  for (const auto& list : kLists) {
    if (list.name == name) return list;
  }
  throw Error("there is no list \"" + std::string(name) + "\". Write \"use apex\", \"use native\" or \"use none\".");
}

CastList NamedList::for_torch(int minor) const {
  std::string whole(text);
  for (const VersionLines& lines : of_versions) {
    if (lines.first_minor <= minor && minor <= lines.last_minor) whole += lines.text;
  }
  return CastList(whole);
}

CastList::CastList(const std::vector<CastRule>& rules) {
  for (const auto& rule : rules) {
    auto& same_name = rules_[rule.op.starts_with("aten::") ? rule.op.substr(6) : rule.op];
    same_name.insert(same_name.begin(), rule);
  }
}

CastList::CastList(std::string_view text) : CastList(parse_policy(text, "cast list").rules) {}

/// Calls `visit(rule, policy)` for the rules of an op, strongest first, until `visit` returns true.
template <class Visit>
void CastList::visit_rules(const OpName& op, Visit&& visit) const {
  const bool writes_self = is_in_place(op.base);
  std::vector<std::string> names{op.base};
  if (writes_self) names.push_back(op.base.substr(0, op.base.size() - 1));
  for (const auto& base : names) {
    for (const auto& name : {base + '.' + op.overload, base}) {
      const auto found = rules_.find(name);
      const bool is_meant = name != base || !has_out_argument(op.overload);
      if (found == rules_.end() || !is_meant) continue;
      for (const auto& rule : found->second) {
        if (visit(rule, writes_self ? in_place(rule.policy) : rule.policy)) return;
      }
    }
  }
}

std::optional<CastPolicy> CastList::find(const OpName& op) const {
  std::optional<CastPolicy> found;
  visit_rules(op, [&](const CastRule& rule, CastPolicy policy) {
    if (rule.module.empty()) found = policy;
    return found.has_value();
  });
  return found;
}

std::vector<ModulePolicy> CastList::inside(const OpName& op) const {
  std::vector<ModulePolicy> found;
  visit_rules(op, [&](const CastRule& rule, CastPolicy policy) {
    if (!rule.module.empty()) found.push_back({rule.module, policy});
    return false;
  });
  return found;
}

std::vector<std::string> CastList::names() const {
  std::vector<std::string> names;
  for (const auto& [name, rules] : rules_) names.push_back(name);
  return names;
}

}  // namespace amp

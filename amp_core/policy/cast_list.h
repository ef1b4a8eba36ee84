// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "amp_core/policy/cast_rule.h"

namespace amp {

/// A policy inside the modules that a pattern matches.
struct ModulePolicy {
  std::string pattern;
  CastPolicy policy;

  bool operator==(const ModulePolicy&) const = default;
};

/// The policies of one op: in general, and in certain modules.
struct OpPolicy {
  CastPolicy everywhere = CastPolicy::Pass;
  std::vector<ModulePolicy> inside = {};  ///< policies in modules; the first that matches wins

  bool is_pass() const { return everywhere == CastPolicy::Pass && inside.empty(); }
  bool operator==(const OpPolicy&) const = default;
};

/// Maps ops to policies.
///
/// A rule for a name with overload ("pow.Scalar") applies to that overload. A rule for a bare name applies to all
/// overloads without an out argument. An in-place form ("exp_") takes its policy from the rule for the name without
/// underscore: Low and Promote become MatchSelf, Fp32 becomes RefuseLow. Later rules win.
class CastList {
 public:
  CastList() = default;
  explicit CastList(const std::vector<CastRule>& rules);
  /// Reads one rule per line. Throws Error, naming the line, if the text is not a list.
  explicit CastList(std::string_view text);

  /// Returns the op's policy from the rules that name no module; empty if none of them names the op.
  std::optional<CastPolicy> find(const OpName& op) const;
  CastPolicy policy_of(const OpName& op) const { return find(op).value_or(CastPolicy::Pass); }
  /// Returns the op's policies from the rules that name a module, strongest first.
  std::vector<ModulePolicy> inside(const OpName& op) const;

  /// Returns the op names as the rules write them, in alphabetical order.
  std::vector<std::string> names() const;

 private:
  template <class Visit>
  void visit_rules(const OpName& op, Visit&& visit) const;

  std::map<std::string, std::vector<CastRule>, std::less<>> rules_;  ///< by name, later ones first
};

/// Lines of a list for only some versions of LibTorch.
struct VersionLines {
  int first_minor;  ///< first minor version with these lines: 15 for 2.15
  int last_minor;
  std::string_view text;
};

/// A list that comes with the engine.
struct NamedList {
  std::string_view name;
  std::string_view text;
  bool casts_in_place = true;  ///< rules apply to in-place forms too; false: in-place forms run unchanged
  std::span<const VersionLines> of_versions = {};

  /// Returns the list for a LibTorch version, 15 for 2.15.
  CastList for_torch(int minor) const;
};

/// Name of the empty list: functions run in the types of their arguments.
inline constexpr const char* kNoList = "none";

/// Returns the list of this name. For an unknown name, throws Error with the valid names.
const NamedList& list_named(std::string_view name);

}  // namespace amp

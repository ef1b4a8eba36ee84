// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/policy_modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "amp_core/policy/function_names.h"
#include "amp_core/policy/module_pattern.h"
#include "amp_core/policy/policy.h"
#include "reports/queries/lookups.h"
#include "reports/queries/run_names.h"

namespace ampprof::cli {
namespace {

/// Returns a hint: the full path if the pattern lacks a module's parents, else a module with a similar name.
std::string suggestion(const std::string& pattern, const std::vector<std::string>& paths) {
  const auto inside =
      std::ranges::find_if(paths, [&](const std::string& path) { return amp::matches_module("*." + pattern, path); });
  if (inside == paths.end()) return amp::did_you_mean(pattern, paths);
  return fmt::format(" Did you mean {}.{}?", inside->substr(0, inside->find('.')), pattern);
}

}  // namespace

std::vector<std::string> module_paths(const queries::Report& report) {
  std::set<std::string> paths;
  for (const queries::RunName& run : queries::runs_named(report)) {
    for (const auto& [id, site] : queries::call_sites_of(report, run.id)) paths.insert(site.module);
  }
  paths.erase("");
  return {paths.begin(), paths.end()};
}

std::vector<std::string> unmatched_modules(const amp::Policy& policy, const std::vector<std::string>& paths) {
  std::set<std::string> named;
  for (const amp::CastRule& rule : policy.rules) named.insert(rule.module);
  for (const amp::FormatRule& rule : policy.formats) named.insert(rule.module);
  named.erase("");
  std::vector<std::string> sentences;
  for (const std::string& pattern : named) {
    const auto matches = [&](const std::string& path) { return amp::matches_module(pattern, path); };
    if (std::ranges::any_of(paths, matches)) continue;
    sentences.push_back(fmt::format("a rule of the policy had no effect: no op was called in a module named {}.{}",
                                    pattern, suggestion(pattern, paths)));
  }
  return sentences;
}

}  // namespace ampprof::cli

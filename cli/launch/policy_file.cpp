// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/policy_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "amp_core/levels/level.h"
#include "amp_core/levels/properties.h"
#include "amp_core/policy/function_names.h"
#include "amp_core/policy/policy.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

const std::vector<std::string>& torch_ops() {
  static const std::vector<std::string> names{
#include "op_names.inc"
  };
  return names;
}

bool is_known(const std::string& op) {
  std::string name = amp::op_name_from(op).base;
  if (name.find("::") != std::string::npos || torch_ops().empty()) return true;
  if (amp::is_in_place(name)) name.pop_back();
  return std::ranges::find(torch_ops(), name) != torch_ops().end();
}

void check_op(const amp::CastRule& rule) {
  const auto operators = amp::operators_of(rule.op);
  if (std::ranges::any_of(operators, is_known)) return;
  std::vector<std::string> names = amp::function_names();
  names.insert(names.end(), torch_ops().begin(), torch_ops().end());
  throw amp::Error(fmt::format("LibTorch has no op {}.{}", rule.op, amp::did_you_mean(rule.op, names)));
}

bool registrations_count(const RunOptions& options) {
  if (options.levels.empty()) return true;  // the program's own autocast, or its engine, decides
  return std::ranges::any_of(options.levels, amp::patches_functions);
}

}  // namespace

void check_policy(const RunOptions& options) {
  if (options.policy.empty()) return;
  try {
    amp::parse_policy(amp::policy_file_text(options.policy), options.policy, check_op);
  } catch (const amp::Error& error) {
    throw text::UsageError(fmt::format("--policy: {}", error.what()));
  }
  if (registrations_count(options)) return;
  throw text::UsageError(
      "--policy chooses the types of functions at O1, and no run here is at O1. Add it: --levels O0,O1");
}

}  // namespace ampprof::cli

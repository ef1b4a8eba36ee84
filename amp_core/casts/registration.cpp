// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/registration.h"

#include <cstdlib>

#include "amp_core/casts/cast_table.h"
#include "amp_core/casts/format_hook.h"
#include "amp_core/casts/registered_policy.h"
#include "amp_core/levels/forced_type.h"

namespace amp {
namespace {

struct Registrations {
  std::optional<Policy> policy;
  bool closed = false;
};

thread_local Registrations registrations;

void check_open(const std::string& what) {
  if (!registrations.closed) return;
  throw Error(
      what +
      " came after amp::initialize() on this thread, too late to take effect. Register functions and load policies "
      "before it, or call amp::shutdown() first.");
}

void add(const char* caller, const CastRule& rule) {
  check_open(std::string("amp::") + caller + "(\"" + rule.op + "\")");
  check_rule(rule);
  check_op_exists(rule);
  if (!registrations.policy) registrations.policy.emplace();
  registrations.policy->rules.push_back(rule);
}

void read_file(Policy& policy, const std::string& path) {
  const auto check_format = [](const std::string& recipe) { format_hook().check(recipe); };
  read_policy(policy, policy_file_text(path), path, check_op_exists, check_format);
}

}  // namespace

void register_half_function(const std::string& op, const std::string& module) {
  add("register_half_function", {op, CastPolicy::Low, module});
}

void register_float_function(const std::string& op, const std::string& module) {
  add("register_float_function", {op, CastPolicy::Fp32, module});
}

void register_promote_function(const std::string& op, const std::string& module) {
  add("register_promote_function", {op, CastPolicy::Promote, module});
}

void load_policy(const std::string& path) {
  check_open("amp::load_policy(\"" + path + "\")");
  Policy policy = registrations.policy.value_or(Policy());
  read_file(policy, path);
  registrations.policy = std::move(policy);
}

std::optional<Policy> registered_policy() { return registrations.policy; }

void close_registration() { registrations = {.policy = {}, .closed = true}; }

void reopen_registration() { registrations = {}; }

void add_policy_of_environment(Policy& policy) {
  const char* path = std::getenv("AMP_POLICY");
  if (path != nullptr && *path != '\0') read_file(policy, path);
  policy.low_type = forced_type().value_or(policy.low_type);
  if (const std::string recipe = forced_recipe(); !recipe.empty()) policy.recipe = recipe;
}

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/cast_table.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "amp_core/casts/cast_kernels.h"
#include "amp_core/casts/format_hook.h"
#include "amp_core/casts/module_path.h"
#include "amp_core/levels/properties.h"
#include "amp_core/policy/function_names.h"
#include "amp_core/policy/module_pattern.h"
#include "amp_core/torch_hooks/version.h"

namespace amp {
namespace {

OpName name_of(const c10::OperatorName& op) { return op_name_from(toString(op)); }

bool is_named(const OpName& op, const OpName& wanted) {
  return op.base == wanted.base && (wanted.overload.empty() || op.overload == wanted.overload);
}

/// Tells whether an op writes an argument such as out=: a cast would replace the argument by a copy, and the written
/// values would be lost. False for in-place forms, which have policies of their own.
bool writes_an_argument(const c10::OperatorName& name) {
  const auto op = c10::Dispatcher::singleton().findSchema(name);
  return op && op->schema().is_mutable() && !is_in_place(name.name);
}

/// Replaces each rule for a function name by rules for the function's operators.
std::vector<CastRule> for_operators(const std::vector<CastRule>& rules) {
  std::vector<CastRule> all;
  for (const auto& rule : rules) {
    for (const auto& op : operators_of(rule.op)) all.push_back({op, rule.policy, rule.module});
  }
  return all;
}

/// The chosen list, overridden by the user's rules.
class Layers {
 public:
  explicit Layers(const Policy& policy)
      : list_(list_named(policy.list)), listed_(list_.for_torch(kTorchMinor)), own_(for_operators(policy.rules)) {}

  OpPolicy policy_of(const OpName& op) const {
    const bool is_on_list = list_.casts_in_place || !is_in_place(op.base);
    const CastPolicy listed = is_on_list ? listed_.policy_of(op) : CastPolicy::Pass;
    return {own_.find(op).value_or(listed), own_.inside(op)};
  }

  OpPolicy rules_for(const OpName& op) const { return {own_.find(op).value_or(CastPolicy::Pass), own_.inside(op)}; }

 private:
  NamedList list_;
  CastList listed_;
  CastList own_;
};

/// Composite operators whose matmuls recipes do not support. Their kernel keeps recipes from the ops inside them
/// (RecipesDisabledScope).
constexpr std::array kRecurrent{"lstm",      "gru",      "rnn_tanh",      "rnn_relu",
                                "lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell"};

/// Tells whether an operator has matmuls, whether or not recipes support them. False for operators that write into an
/// argument.
bool has_matmuls(const c10::OperatorName& name) {
  if (!name.name.starts_with("aten::")) return false;
  const auto base = std::string_view(name.name).substr(6);
  const auto is_in = [base](const auto& names) { return std::ranges::find(names, base) != names.end(); };
  if (!is_in(recipe_operators()) && !is_in(kRecurrent)) return false;
  return !c10::Dispatcher::singleton().findSchema(name)->schema().is_mutable();
}

void add_plan(CastTable& table, const Policy& policy) {
  if (!policy.has_recipe()) return;
  table.set_plan(format_hook().plan_of(policy));
  for (const auto& name : c10::Dispatcher::singleton().getAllOpNames()) {
    if (has_matmuls(name)) table.set_has_matmuls(cast_kernel_slot(name));
  }
}

template <class PolicyOf>
std::shared_ptr<const CastTable> make_table(const Policy& policy, PolicyOf policy_of) {
  for (const auto& rule : policy.rules) check_op_exists(rule);
  auto table = std::make_shared<CastTable>(policy, /*checks_only=*/false);
  for (const auto& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const OpPolicy op = policy_of(name_of(name));
    if (!op.is_pass() && !writes_an_argument(name)) table->set(cast_kernel_slot(name), op);
  }
  add_plan(*table, policy);
  return table;
}

std::shared_ptr<const CastTable> make_table(const Policy& policy) {
  const Layers layers(policy);
  install_pass_kernels();
  return make_table(policy, [&](const OpName& op) { return layers.policy_of(op); });
}

std::shared_ptr<const CastTable> make_check_table() {
  const CastList list = list_named(Policy().list).for_torch(kTorchMinor);
  auto table = std::make_shared<CastTable>(Policy(), /*checks_only=*/true);
  install_pass_kernels();
  for (const auto& name : c10::Dispatcher::singleton().getAllOpNames()) {
    if (list.policy_of(name_of(name)) != CastPolicy::Low) continue;
    table->set(cast_kernel_slot(name), {CastPolicy::RefuseMixed});
  }
  return table;
}

}  // namespace

void CastTable::set(std::size_t slot, const OpPolicy& op) {
  if (slot >= entries_.size()) entries_.resize(slot + 1);
  entries_[slot].everywhere = op.everywhere;
  if (op.inside.empty()) return;
  module_rules_.push_back(op.inside);
  entries_[slot].module_rules = static_cast<std::uint16_t>(module_rules_.size());
}

void CastTable::set_has_matmuls(std::size_t slot) {
  if (slot >= entries_.size()) entries_.resize(slot + 1);
  entries_[slot].has_matmuls = true;
}

// Caches the newest table, since programs enable casts with the same policy on one thread after another.
std::shared_ptr<const CastTable> cast_table(const Policy& policy) {
  static std::mutex mutex;
  static auto* const newest = new std::shared_ptr<const CastTable>();
  const std::lock_guard lock(mutex);
  if (!*newest || (*newest)->policy() != policy) *newest = make_table(policy);
  return *newest;
}

std::shared_ptr<const CastTable> table_of_rules(const Policy& policy) {
  const Layers layers(policy);
  return make_table(policy, [&](const OpName& op) { return layers.rules_for(op); });
}

CastPolicy policy_in(const CastTable& table, std::size_t slot, std::span<const c10::IValue> arguments) {
  const CastTable::Entry entry = table.at(slot);
  if (entry.module_rules == 0) return entry.everywhere;
  const std::string module = module_path_of(arguments);
  for (const auto& rule : table.module_rules(entry)) {
    if (matches_module(rule.pattern, module)) return rule.policy;
  }
  return entry.everywhere;
}

std::shared_ptr<const CastTable> type_check_table() {
  static auto* const table = new std::shared_ptr<const CastTable>(make_check_table());
  return *table;
}

bool op_exists(const CastRule& rule) {
  const auto names = c10::Dispatcher::singleton().getAllOpNames();
  return std::ranges::any_of(operators_of(rule.op), [&](const std::string& op) {
    const OpName wanted = op_name_from(op);
    return std::ranges::any_of(
        names, [&](const auto& name) { return is_named(name_of(name), wanted) && !writes_an_argument(name); });
  });
}

void check_op_exists(const CastRule& rule) {
  if (op_exists(rule)) return;
  std::vector<std::string> known = function_names();
  bool is_written = false;
  for (const auto& op : operators_of(rule.op)) {
    const OpName wanted = op_name_from(op);
    for (const auto& name : c10::Dispatcher::singleton().getAllOpNames()) {
      const OpName there = name_of(name);
      is_written = is_written || is_named(there, wanted);
      if (wanted.overload.empty() || there.base != wanted.base) known.push_back(there.base);
      if (there.base == wanted.base && !there.overload.empty()) known.push_back(there.base + '.' + there.overload);
    }
  }
  if (is_written) {
    throw Error("The op " + rule.op + " writes its result into an argument, so its arguments cannot be cast.");
  }
  std::ranges::sort(known);
  known.erase(std::ranges::unique(known).begin(), known.end());
  throw Error("There is no op " + rule.op + " in this process." + did_you_mean(rule.op, known));
}

}  // namespace amp

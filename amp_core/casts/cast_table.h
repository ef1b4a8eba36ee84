// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "amp_core/base/scalar_types.h"
#include "amp_core/policy/cast_list.h"
#include "amp_core/policy/policy.h"

namespace amp {

class RecipePlan;

/// A policy as a table for the cast kernels: one entry for each op, at the op's slot. Each kernel is registered once
/// per process and knows its slot; each thread refers to a table. Immutable once built, so threads may share one.
class CastTable {
 public:
  struct Entry {
    CastPolicy everywhere = CastPolicy::Pass;
    std::uint16_t module_rules = 0;  ///< 1 + index in `module_rules_`; 0 if the op has no such rules
    bool has_matmuls = false;        ///< a recipe of the plan may apply to the op
  };

  CastTable(Policy policy, bool checks_only) : policy_(std::move(policy)), checks_only_(checks_only) {}

  void set(std::size_t slot, const OpPolicy& op);
  void set_plan(std::shared_ptr<const RecipePlan> plan) { plan_ = std::move(plan); }
  void set_has_matmuls(std::size_t slot);

  /// Returns the entry of a slot. An op that got its slot after the table was built is not cast.
  Entry at(std::size_t slot) const { return slot < entries_.size() ? entries_[slot] : Entry{}; }
  bool has(std::size_t slot) const { return casts(at(slot)) || at(slot).has_matmuls; }
  static bool casts(Entry entry) { return entry.everywhere != CastPolicy::Pass || entry.module_rules != 0; }
  std::span<const ModulePolicy> module_rules(Entry entry) const { return module_rules_[entry.module_rules - 1U]; }

  const Policy& policy() const { return policy_; }
  bool checks_only() const { return checks_only_; }
  /// Returns the recipes of the policy; null if it has none.
  const std::shared_ptr<const RecipePlan>& plan() const { return plan_; }
  /// Tells whether the policy has no list, so that the program's own autocast, if on, chooses the types.
  bool leaves_types_to_program() const { return policy_.list == kNoList; }
  at::ScalarType low_type() const { return scalar_type_of(policy_.low_type); }

 private:
  Policy policy_;
  bool checks_only_;
  std::vector<Entry> entries_;
  std::vector<std::vector<ModulePolicy>> module_rules_;
  std::shared_ptr<const RecipePlan> plan_;
};

/// Returns the table of a policy. Registers a kernel for each op that the policy or LibTorch's autocast casts. Throws
/// Error for a rule that names an unknown op, or an op that writes its result into an argument.
std::shared_ptr<const CastTable> cast_table(const Policy& policy);

/// Returns the table of a policy's rules alone, without its list. Throws like cast_table().
std::shared_ptr<const CastTable> table_of_rules(const Policy& policy);

/// Returns the policy for a call of the op with this slot. If rules name modules, finds the module that makes the call.
CastPolicy policy_in(const CastTable& table, std::size_t slot, std::span<const c10::IValue> arguments);

/// Returns the table for type checks: it casts nothing, and refuses mixed types for ops that the default list casts to
/// the low type.
std::shared_ptr<const CastTable> type_check_table();

/// Returns whether this process has an op that the rule names and whose arguments can be cast. LibTorch versions add
/// and remove ops.
bool op_exists(const CastRule& rule);

/// Throws Error, with similar names, if the rule's op does not exist in this process.
void check_op_exists(const CastRule& rule);

}  // namespace amp

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

class FormatPlan;

/// A policy as the kernels read it: what each slot does. Kernels are the process's and know their slot; threads hold
/// tables. Immutable, so any number of threads may share one.
class CastTable {
 public:
  struct Entry {
    CastPolicy everywhere = CastPolicy::Pass;
    std::uint16_t module_rules = 0;  ///< 0: none; else place in the list of those, plus 1
    bool has_matmuls = false;        ///< whether the plan may name a recipe for it
  };

  CastTable(Policy policy, bool checks_only) : policy_(std::move(policy)), checks_only_(checks_only) {}

  void set(std::size_t slot, const OpPolicy& op);
  void set_plan(std::shared_ptr<const FormatPlan> plan) { plan_ = std::move(plan); }
  void set_has_matmuls(std::size_t slot);

  /// A slot that is younger than the table passes.
  Entry at(std::size_t slot) const { return slot < entries_.size() ? entries_[slot] : Entry{}; }
  bool has(std::size_t slot) const { return casts(at(slot)) || at(slot).has_matmuls; }
  static bool casts(Entry entry) { return entry.everywhere != CastPolicy::Pass || entry.module_rules != 0; }
  std::span<const ModulePolicy> module_rules(Entry entry) const { return module_rules_[entry.module_rules - 1U]; }

  const Policy& policy() const { return policy_; }
  bool checks_only() const { return checks_only_; }
  /// The recipes of the policy; null where it has none.
  const std::shared_ptr<const FormatPlan>& plan() const { return plan_; }
  /// Whether no list is underneath, so that the program's own autocast decides on types where it is on.
  bool leaves_types_to_program() const { return policy_.list == kNoList; }
  at::ScalarType low_type() const { return scalar_type_of(policy_.low_type); }

 private:
  Policy policy_;
  bool checks_only_;
  std::vector<Entry> entries_;
  std::vector<std::vector<ModulePolicy>> module_rules_;
  std::shared_ptr<const FormatPlan> plan_;
};

/// The table of a policy, with a kernel of ours in place for each op that it casts or that LibTorch's autocast would.
/// Throws Error for a rule that names no op, or an op whose result is an argument.
std::shared_ptr<const CastTable> cast_table(const Policy& policy);

/// The table of a policy's rules alone, without a list underneath. Throws as cast_table() does.
std::shared_ptr<const CastTable> table_of_rules(const Policy& policy);

/// Returns what a table says of a call of the op that has this slot. Rules for modules ask for the one that makes it.
CastPolicy policy_in(const CastTable& table, std::size_t slot, std::span<const c10::IValue> arguments);

/// The table that casts nothing, and refuses mixed types where the policy's list would cast to the low type.
std::shared_ptr<const CastTable> type_check_table();

/// Returns whether this process has an op of that name whose arguments can be cast. LibTorch adds ops and removes some.
bool op_exists(const CastRule& rule);

/// Throws Error naming near matches for a rule whose op does not exist in this process.
void check_op_exists(const CastRule& rule);

}  // namespace amp

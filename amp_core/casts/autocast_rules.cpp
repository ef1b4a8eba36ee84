// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/autocast_rules.h"

#include <ATen/autocast_mode.h>

#include <atomic>
#include <memory>

#include "amp_core/casts/autocast_table.h"
#include "amp_core/torch_hooks/autocast_keys.h"
#include "amp_core/torch_hooks/recompute.h"

namespace amp {
namespace {

/// Current rules, and the rules that they replaced. Never freed: ops may run while the process exits.
struct Rules {
  std::shared_ptr<const CastTable> table;
  const Rules* before;
};

std::atomic<const Rules*> g_rules{nullptr};
std::atomic<bool> g_were_used{false};

}  // namespace

void add_rules_to_autocast(const Policy& policy) {
  g_rules.store(new Rules{table_of_rules(policy), g_rules.load()}, std::memory_order_release);
}

std::optional<Policy> rules_of_autocast() {
  const Rules* rules = g_rules.load(std::memory_order_acquire);
  return rules == nullptr ? std::nullopt : std::optional(rules->table->policy());
}

bool autocast_rules_were_used() { return g_were_used.load(std::memory_order_relaxed); }

const CastTable* autocast_rules_for(std::size_t slot) {
  const Rules* rules = g_rules.load(std::memory_order_acquire);
  if (rules == nullptr || !rules->table->has(slot)) return nullptr;
  // The rules apply only to the program's calls. Backward and kernels may also call ops while autocast is on.
  if ((in_backward() && !recomputes_forward()) || in_kernel()) return nullptr;
  return rules->table.get();
}

void autocast_rule_decided() { g_were_used.store(true, std::memory_order_relaxed); }

}  // namespace amp

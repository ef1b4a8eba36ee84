// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/optimizer_updates.h"

namespace ampprof::profiler {

std::size_t OptimizerUpdates::number_of(const void* optimizer, std::span<const LeafId> leaves) {
  for (const LeafId leaf : leaves) {
    if (const auto known = of_leaf_.find(leaf); known != of_leaf_.end()) return known->second;
  }
  const auto known = optimizer == nullptr ? of_pointer_.end() : of_pointer_.find(optimizer);
  // The address alone does not identify an optimizer with known leaves: a new optimizer may have the same address.
  if (known != of_pointer_.end() && (leaves.empty() || counts_[known->second].leaves == 0)) return known->second;
  counts_.emplace_back();
  return counts_.size() - 1;
}

void OptimizerUpdates::assign(std::size_t number, std::span<const LeafId> leaves) {
  for (const LeafId leaf : leaves) {
    if (of_leaf_.try_emplace(leaf, number).second) ++counts_[number].leaves;
  }
}

std::size_t OptimizerUpdates::add(const void* optimizer, std::span<const LeafId> leaves, bool skipped) {
  latest_ = number_of(optimizer, leaves);
  assign(latest_, leaves);
  if (of_pointer_.size() > kMostPointers) of_pointer_.clear();
  if (optimizer != nullptr) of_pointer_[optimizer] = latest_;
  Counts& counts = counts_[latest_];
  ++(skipped ? counts.skipped : counts.done);
  return latest_;
}

void OptimizerUpdates::goes_on(std::span<const LeafId> leaves) {
  if (!counts_.empty()) assign(latest_, leaves);
}

void OptimizerUpdates::take_back() {
  if (counts_.empty() || counts_[latest_].done == 0) return;
  --counts_[latest_].done;
  ++counts_[latest_].skipped;
}

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "profiler/steps/gradient_lives.h"

namespace ampprof::profiler {

/// Counts the updates of each optimizer of a training loop. An optimizer is known by its leaves, since programs create
/// it anew. A skipped update gives only one leaf. Not thread-safe.
class OptimizerUpdates {
 public:
  struct Counts {
    std::int64_t leaves = 0;  ///< leaves that it was seen to update
    std::int64_t done = 0;
    std::int64_t skipped = 0;
  };

  /// Counts an update of these leaves. `optimizer` is only compared; it is null if nothing announced the update. It
  /// replaces the leaves of an optimizer without any, which has skipped all updates so far. Returns the number of the
  /// optimizer, from 0.
  std::size_t add(const void* optimizer, std::span<const LeafId> leaves, bool skipped);
  /// Adds these leaves to the latest update.
  void goes_on(std::span<const LeafId> leaves);

  /// Says that the latest update was skipped after all.
  void take_back();

  const std::vector<Counts>& all() const { return counts_; }

 private:
  static constexpr std::size_t kMostPointers = 1024;  ///< for programs that create optimizers anew

  std::size_t number_of(const void* optimizer, std::span<const LeafId> leaves);
  void assign(std::size_t number, std::span<const LeafId> leaves);

  std::vector<Counts> counts_;
  std::unordered_map<LeafId, std::size_t> of_leaf_;
  std::unordered_map<const void*, std::size_t> of_pointer_;
  std::size_t latest_ = 0;
};

}  // namespace ampprof::profiler

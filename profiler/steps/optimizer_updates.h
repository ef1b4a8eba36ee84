// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "profiler/steps/gradient_lives.h"

namespace ampprof::profiler {

/// Counts what each optimizer of a training loop did. An optimizer is known by its leaves: programs make it anew, and
/// of a skipped update only one leaf is told. Not thread-safe.
class OptimizerUpdates {
 public:
  struct Counts {
    std::int64_t leaves = 0;  ///< that it was seen to update
    std::int64_t done = 0;
    std::int64_t skipped = 0;
  };

  /// Counts an update of these leaves. `optimizer` is only compared, and null where nothing announced it; it stands for
  /// the leaves where there are none, since it has skipped all updates so far. Returns the number of the optimizer,
  /// from 0.
  std::size_t add(const void* optimizer, std::span<const LeafId> leaves, bool skipped);
  /// The latest update goes on with these.
  void goes_on(std::span<const LeafId> leaves);

  /// The latest update was skipped after all.
  void take_back();

  const std::vector<Counts>& all() const { return counts_; }

 private:
  static constexpr std::size_t kMostPointers = 1024;  ///< of a program that makes optimizers anew

  std::size_t number_of(const void* optimizer, std::span<const LeafId> leaves);
  void assign(std::size_t number, std::span<const LeafId> leaves);

  std::vector<Counts> counts_;
  std::unordered_map<LeafId, std::size_t> of_leaf_;
  std::unordered_map<const void*, std::size_t> of_pointer_;
  std::size_t latest_ = 0;
};

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "profiler/steps/gradient_lives.h"

namespace ampprof::profiler {

/// Counts the updates of each optimizer of a training loop. An optimizer is identified by its leaves, since programs
/// may create optimizers anew in each step. A skipped update has one known leaf only. Not thread-safe.
class OptimizerUpdates {
 public:
  struct Counts {
    std::int64_t leaves = 0;  ///< number of leaves assigned to the optimizer
    std::int64_t done = 0;
    std::int64_t skipped = 0;
  };

  /// Counts an update of these leaves. Returns the index of the optimizer in all(). `optimizer`: the address of the
  /// optimizer, or null if no optimizer announced the update. The address is used only while no leaves of the optimizer
  /// are known, because all its updates were skipped.
  std::size_t add(const void* optimizer, std::span<const LeafId> leaves, bool skipped);
  /// Adds leaves to the latest update.
  void goes_on(std::span<const LeafId> leaves);

  /// Counts the latest update as skipped, because its kernel found an overflow.
  void take_back();

  const std::vector<Counts>& all() const { return counts_; }

 private:
  static constexpr std::size_t kMostPointers = 1024;  ///< limit for programs that create optimizers anew each step

  std::size_t number_of(const void* optimizer, std::span<const LeafId> leaves);
  void assign(std::size_t number, std::span<const LeafId> leaves);

  std::vector<Counts> counts_;
  std::unordered_map<LeafId, std::size_t> of_leaf_;
  std::unordered_map<const void*, std::size_t> of_pointer_;
  std::size_t latest_ = 0;
};

}  // namespace ampprof::profiler

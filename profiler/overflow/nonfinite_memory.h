// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "profiler/overflow/nonfinite_trace.h"

namespace ampprof::profiler {

/// Maps the memory of tensors that hold NaN or inf to the event from which these values descend. Keeps no memory alive.
/// Thread-safe.
class NonfiniteMemory {
 public:
  using Memory = NonfiniteTrace::Memory;
  using Id = NonfiniteTrace::Id;
  using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;

  /// Says what a memory holds: a loss, or the gradient of `parameter`.
  struct Mark {
    NonfiniteOutcome is = NonfiniteOutcome::Loss;  ///< Loss or Gradient
    std::string parameter{};
  };

  /// Returns null for a tensor without memory.
  static Memory of(const c10::TensorImpl& tensor) {
    return tensor.has_storage() ? tensor.unsafe_storage().unsafeGetStorageImpl() : nullptr;
  }

  /// Returns whether any memory holds NaN or inf. Cheap.
  bool has_any() const { return size_.load(std::memory_order_relaxed) > 0; }

  /// Returns the event of the values in this memory, kOutside if no recorded call made them, or empty if they are
  /// finite.
  std::optional<Id> id_of(Memory memory) const {
    if (!has_any()) return std::nullopt;
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(memory);
    return found == entries_.end() ? std::nullopt : std::optional(found->second.id);
  }

  /// Stores the event of a memory. Returns the memory's mark, if any.
  std::optional<Mark> put(const WeakStorage& memory, Id id) {
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= limit_) forget_expired();
    entries_.insert_or_assign(memory._unsafe_get_target(), Entry{memory, id});
    size_.store(entries_.size(), std::memory_order_relaxed);
    const auto marked = marks_.find(memory._unsafe_get_target());
    return marked == marks_.end() ? std::nullopt : std::optional(marked->second.second);
  }

  /// Removes a memory that was completely overwritten by finite values.
  void clear(Memory memory) {
    const std::lock_guard lock(mutex_);
    entries_.erase(memory);
    size_.store(entries_.size(), std::memory_order_relaxed);
  }

  /// Marks the memory of a loss of this step, or of a parameter's gradient. Returns the event of the memory, if known
  /// by now.
  std::optional<Id> mark(const WeakStorage& memory, Mark mark) {
    {
      const std::lock_guard lock(mutex_);
      marks_.insert_or_assign(memory._unsafe_get_target(), std::pair(memory, std::move(mark)));
    }
    return id_of(memory._unsafe_get_target());
  }

  /// Stores the event of the autograd nodes [`first`, `end`) that a call on `thread` made when it read or made values
  /// of the event. Such a node may save memory that no observed call wrote, such as a copy by autocast.
  void put_nodes(std::uint64_t first, std::uint64_t end, std::uint64_t thread, Id id) {
    const std::lock_guard lock(mutex_);
    for (std::uint64_t node = first; node < end; ++node) nodes_[{thread, node}] = id;
  }
  std::optional<Id> id_of_node(std::uint64_t node, std::uint64_t thread) const {
    const std::lock_guard lock(mutex_);
    const auto found = nodes_.find({thread, node});
    return found == nodes_.end() ? std::nullopt : std::optional(found->second);
  }

  /// Ends a step. Forgets its marks and nodes, and freed memory.
  void step_ended() {
    const std::lock_guard lock(mutex_);
    marks_.clear();
    nodes_.clear();
    forget_expired();
    size_.store(entries_.size(), std::memory_order_relaxed);
  }

 private:
  /// Holds a weak reference, so that the address is not reused.
  struct Entry {
    WeakStorage memory;
    Id id;
  };

  void forget_expired() {
    std::erase_if(entries_, [](const auto& entry) { return entry.second.memory.expired(); });
    limit_ = std::max<std::size_t>(256, 2 * entries_.size());
  }

  mutable std::mutex mutex_;
  std::unordered_map<Memory, Entry> entries_;
  std::unordered_map<Memory, std::pair<WeakStorage, Mark>> marks_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Id> nodes_;  ///< keys: thread and sequence number of the node
  std::size_t limit_ = 256;
  std::atomic<std::size_t> size_{0};
};

}  // namespace ampprof::profiler

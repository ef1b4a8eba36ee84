// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "profiler/overflow/nonfinite_trace.h"

namespace ampprof::profiler {

/// Memory that the collectives of one segment write, perhaps after their calls have ended. If its values are finite
/// before the first collective and not finite later, NaN or inf came from another rank. Keeps no memory alive.
/// Thread-safe.
class ReceivedMemory {
 public:
  using Memory = const void*;

  /// Returns null for a tensor without memory.
  static Memory of(const c10::TensorImpl& tensor) {
    return tensor.has_storage() ? tensor.unsafe_storage().unsafeGetStorageImpl() : nullptr;
  }

  /// Adds an input or output of `collective`. The first collective of a tensor is kept.
  void add(const at::Tensor& tensor, const NonfiniteTrace::Origin& collective, std::int64_t segment) {
    if (!tensor.has_storage()) return;
    const std::lock_guard lock(mutex_);
    if (std::exchange(segment_, segment) != segment) entries_.clear();
    std::erase_if(entries_, [](const Entry& entry) { return entry.memory.expired(); });
    const Memory memory = of(*tensor.unsafeGetTensorImpl());
    if (find(memory) == entries_.end()) entries_.push_back({tensor.storage().getWeakStorageImpl(), collective});
  }

  /// Returns the collective that writes one of these memories; empty if there is none.
  std::optional<NonfiniteTrace::Origin> collective_of(const std::vector<Memory>& all) const {
    const std::lock_guard lock(mutex_);
    for (const Memory memory : all) {
      if (const auto found = find(memory); found != entries_.end()) return found->collective;
    }
    return std::nullopt;
  }

 private:
  struct Entry {
    c10::weak_intrusive_ptr<c10::StorageImpl> memory;  ///< keeps the address from being reused
    NonfiniteTrace::Origin collective;
  };

  std::vector<Entry>::const_iterator find(Memory memory) const {
    return std::ranges::find_if(entries_,
                                [&](const Entry& entry) { return entry.memory._unsafe_get_target() == memory; });
  }

  mutable std::mutex mutex_;
  std::int64_t segment_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace ampprof::profiler

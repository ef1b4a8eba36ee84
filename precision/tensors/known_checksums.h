// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/StorageImpl.h>

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "precision/tensors/call_sketch.h"

namespace ampprof::tensors {

/// Remembers checksums of tensors' bits, or where they will be, so that what several calls take, or one made and
/// another takes, is read once. A tensor is known by its memory, its version and how it lies there. What writes into
/// memory under another version counter (`x.data.add_()`) has to be told by forget(). Holds no memory alive.
/// Thread-safe.
class KnownChecksums {
 public:
  /// Returns checksum_of(tensor), now or, where `later` is given, when that is complete.
  Checksum of(const at::Tensor& tensor, DeferredReductions* later = nullptr);
  /// Takes what of() would return.
  void put(const at::Tensor& tensor, const Checksum& checksum);
  /// Forgets what is known of this tensor's memory.
  void forget(const at::Tensor& tensor);
  void clear();

 private:
  struct Known {
    std::uint32_t version;
    std::int64_t offset;
    at::ScalarType type;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;
    Checksum checksum;
  };
  using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;
  struct Memory {
    WeakStorage storage;
    std::vector<Known> tensors;
  };

  const Known* find(const at::Tensor& tensor) const;
  Memory& memory_at(const at::Tensor& tensor);

  std::mutex mutex_;
  std::unordered_map<const c10::StorageImpl*, Memory> memory_;
};

}  // namespace ampprof::tensors

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

/// Caches checksums of tensors' bits, on the host or still on the device, so that a tensor used by several calls is
/// read once. The key of a tensor is its memory, version and layout. Call forget() after writes that do not change the
/// version counter of the tensor (`x.data.add_()`). Does not keep memory alive. Thread-safe.
class KnownChecksums {
 public:
  /// Returns checksum_of(tensor): at once, or, if `later` is given, in later->complete().
  Checksum of(const at::Tensor& tensor, DeferredReductions* later = nullptr);
  /// Stores the checksum that of() will return.
  void put(const at::Tensor& tensor, const Checksum& checksum);
  /// Drops the entries for this tensor's memory.
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

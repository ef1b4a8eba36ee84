// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace ampprof::quantize {

/// Allocates at the beginning of a cache line, so that no 64-byte vector spans two lines.
template <typename T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  CacheLineAllocator() = default;
  template <typename U>
  CacheLineAllocator(const CacheLineAllocator<U>& /*other*/) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
  void deallocate(T* memory, std::size_t /*count*/) { ::operator delete(memory, kAlignment); }

  bool operator==(const CacheLineAllocator&) const = default;
};

template <typename T>
using CacheLines = std::vector<T, CacheLineAllocator<T>>;

}  // namespace ampprof::quantize

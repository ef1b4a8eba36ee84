// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string_view>

namespace ampprof::profiler {

/// Maps handles, which the program stores, to texts. Handles are small numbers, not addresses, so that find() detects
/// an invalid one. Equal texts have the same handle. Handles stay valid forever.
///
/// Takes no lock, which a fork could leave locked. An empty static table uses no memory.
template <std::size_t kSlots>
class TextTable {
 public:
  /// Returns a handle from 1; 0 if the table is full.
  std::uintptr_t intern(const char* text) noexcept {
    const std::size_t first = std::hash<std::string_view>{}(text) % kSlots;
    for (std::size_t probe = 0; probe < kMostProbes; ++probe) {
      const std::size_t slot = (first + probe) % kSlots;
      if (holds(texts_[slot], text)) return slot + 1;
    }
    return 0;
  }

  /// Returns the text; "" for a handle that intern() never returned.
  const char* find(std::uintptr_t handle) const noexcept {
    if (handle == 0 || handle > kSlots) return "";
    const char* text = texts_[handle - 1].load(std::memory_order_acquire);
    return text == nullptr ? "" : text;
  }

 private:
  static constexpr std::size_t kMostProbes = 64;

  /// Returns whether `slot` holds `text`. Puts the text into an empty slot.
  static bool holds(std::atomic<const char*>& slot, const char* text) noexcept {
    const char* there = slot.load(std::memory_order_acquire);
    if (there == nullptr) {
      char* copy = strdup(text);
      if (copy == nullptr || slot.compare_exchange_strong(there, copy, std::memory_order_acq_rel))
        return copy != nullptr;
      std::free(copy);
    }
    return std::strcmp(there, text) == 0;
  }

  std::array<std::atomic<const char*>, kSlots> texts_{};
};

}  // namespace ampprof::profiler

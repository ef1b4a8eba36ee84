// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>

#include <array>
#include <cstdint>
#include <mutex>

namespace ampprof::tensors {

/// Tells how much of a device's memory the program does not use, in bytes.
struct UnusedMemory {
  std::int64_t free = 0;    ///< what the driver would still give
  std::int64_t cached = 0;  ///< what the allocator keeps, in segments of which nothing is used
};

/// Whether ampprof may take `bytes` more: the driver has them, so that the allocator neither fails nor gives its cache
/// back to try again, and at least as much is left to the program.
constexpr bool leaves_room(const UnusedMemory& unused, std::int64_t bytes) {
  return bytes <= unused.free && bytes <= (unused.free + unused.cached) / 2;
}

/// Looks how much memory devices have left, before ampprof makes copies there. Thread-safe.
class DeviceMemoryBudget {
 public:
  /// Returns what is unused on a GPU that the program has used; without bound where its allocator does not tell.
  UnusedMemory unused(c10::DeviceIndex gpu);
  /// Returns the bytes that the program's allocator has given out there, and the most that it had; 0 where it does not
  /// tell. The program's own peaks stay as they are.
  std::int64_t allocated(c10::DeviceIndex gpu) const;
  std::int64_t peak_allocated(c10::DeviceIndex gpu) const;
  bool holds(c10::DeviceIndex gpu, std::int64_t bytes) { return leaves_room(unused(gpu), bytes); }

 private:
  /// Remembers what the driver said, and how often the allocator had turned to it by then: to ask takes longer than an
  /// op.
  struct Asked {
    std::int64_t turns = -1;
    std::int64_t at_ns = 0;
    std::int64_t free = 0;
  };

  std::mutex mutex_;
  std::array<Asked, 64> asked_{};
};

}  // namespace ampprof::tensors

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>

#include <array>
#include <cstdint>
#include <mutex>

namespace ampprof::tensors {

/// Bytes of device memory that the program does not use.
struct UnusedMemory {
  std::int64_t free = 0;    ///< available from the driver
  std::int64_t cached = 0;  ///< cached by the allocator in unused segments
};

/// Returns whether ampprof may allocate `bytes` more. The driver must have `bytes` available, so that the allocator
/// neither fails nor frees its cache to retry. Afterwards the program must still have `bytes`, in the driver or in the
/// cache.
constexpr bool leaves_room(const UnusedMemory& unused, std::int64_t bytes) {
  return bytes <= unused.free && bytes <= (unused.free + unused.cached) / 2;
}

/// Checks how much memory devices have left before ampprof copies tensors on them. Thread-safe.
class DeviceMemoryBudget {
 public:
  /// Returns the unused memory of a GPU that the program has used; unlimited if its allocator has no statistics.
  UnusedMemory unused(c10::DeviceIndex gpu);
  /// Returns the bytes that the program has allocated on a GPU (peak_allocated(): the largest number so far); 0 if the
  /// allocator has no statistics. Does not reset the program's own peaks.
  std::int64_t allocated(c10::DeviceIndex gpu) const;
  std::int64_t peak_allocated(c10::DeviceIndex gpu) const;
  bool holds(c10::DeviceIndex gpu, std::int64_t bytes) { return leaves_room(unused(gpu), bytes); }

 private:
  /// The driver's last answer, with the allocator's count of driver calls at that time. Cached, since a query takes
  /// longer than an op.
  struct Asked {
    std::int64_t turns = -1;
    std::int64_t at_ns = 0;
    std::int64_t free = 0;
  };

  std::mutex mutex_;
  std::array<Asked, 64> asked_{};
};

}  // namespace ampprof::tensors

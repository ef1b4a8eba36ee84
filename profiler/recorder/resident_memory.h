// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace ampprof::profiler {

/// Returns the resident memory of this process in bytes; 0 if /proc has no value. Takes about 1 µs.
std::int64_t resident_bytes();
/// Returns the largest resident memory in bytes since the start, or since forget_peak_memory().
std::int64_t peak_resident_bytes();
void forget_peak_memory();

/// Keeps the largest resident memory that was measured. Thread-safe.
class ResidentPeak {
 public:
  void see(std::int64_t bytes) {
    std::int64_t largest = bytes_;
    while (bytes > largest && !bytes_.compare_exchange_weak(largest, bytes)) {
    }
  }
  /// Returns the largest value so far; 0 if there is none.
  std::int64_t bytes() const { return bytes_; }

 private:
  std::atomic<std::int64_t> bytes_{0};
};

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::profiler {

/// Resident memory of this process in bytes; 0 where /proc does not tell. About 1 µs.
std::int64_t resident_bytes();
/// The largest since the start, or since forget_peak_memory().
std::int64_t peak_resident_bytes();
void forget_peak_memory();

}  // namespace ampprof::profiler

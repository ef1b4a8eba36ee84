// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ampprof::profiler {

/// Returns the addresses of the calls on this thread's stack that are in the user's own executable and libraries,
/// innermost first, at most 32. Begins with the frame whose return address is `from`, so that callers can leave out
/// their own frames.
std::vector<std::uintptr_t> users_native_frames(const void* from);

}  // namespace ampprof::profiler

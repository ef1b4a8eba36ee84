// SPDX-License-Identifier: Apache-2.0
// Replaces emit.cpp in a build without the headers of NVTX.
#include "profiler/nvtx/emit.h"

namespace ampprof::profiler::emission {

bool is_listened_to() noexcept { return false; }
void push(Kind, const char*) noexcept {}
void pop() noexcept {}
std::uint64_t start(Kind, const char*) noexcept { return 0; }
void end(std::uint64_t) noexcept {}

}  // namespace ampprof::profiler::emission

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Emits ampprof's own ranges for other tools, above all Nsight Systems, in NVTX domain "ampprof". Nothing throws. If
/// no other tool listens, each function only reads one variable.
namespace ampprof::profiler::emission {

/// Says what a range marks. Each kind is an NVTX category with a colour.
enum class Kind { Op = 1, Step = 2, Module = 3, Level = 4 };

/// Returns whether a tool other than ampprof receives ranges in this process. The first call initialises NVTX, which
/// loads the tool, so call it first on a thread that holds no lock. The result never changes.
bool is_listened_to() noexcept;

/// Opens a range on this thread. The tool copies `text`.
void push(Kind kind, const char* text) noexcept;
/// Closes the range that was opened last on this thread. Each push() needs its pop().
void pop() noexcept;

/// Opens a range that may end on any thread and overlap others: a step. Returns the id for end(); 0 if no tool listens.
std::uint64_t start(Kind kind, const char* text) noexcept;
void end(std::uint64_t id) noexcept;

}  // namespace ampprof::profiler::emission

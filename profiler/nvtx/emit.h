// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// ampprof's own ranges for other tools, Nsight Systems above all: NVTX domain "ampprof". Nothing throws. Where no
/// other tool listens, all of it is a look at one variable.
namespace ampprof::profiler::emission {

/// The subject of a range: a category of NVTX, each with its colour.
enum class Kind { Op = 1, Step = 2, Module = 3, Level = 4 };

/// Returns whether another tool than ampprof takes ranges in this process. The first call initialises NVTX, which loads
/// the tool: it must be on a thread that holds no lock. The answer never changes.
bool is_listened_to() noexcept;

/// Opens a range on this thread. `text` is copied by whoever listens.
void push(Kind kind, const char* text) noexcept;
/// Closes the one that was opened last on this thread; each push() needs its pop().
void pop() noexcept;

/// Opens a range that may end on any thread, within or beyond others: a step. Returns what end() wants; 0 where nobody
/// listens.
std::uint64_t start(Kind kind, const char* text) noexcept;
void end(std::uint64_t id) noexcept;

}  // namespace ampprof::profiler::emission

// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

struct Engine;

// Finds the engine of a thread. A thread that calls initialize() has an engine of its own. Any other thread uses the
// process's engine if exactly one is alive; if several are, the lookup throws Error. An engine ends with shutdown(). An
// engine outlives its thread, so that a program may call initialize() on a separate thread. The engine of an ended
// thread is freed when another engine is made, unless other threads used it.
//
// A lookup costs two loads unless an engine began or ended since the last one.

/// Returns the calling thread's engine; null if none is alive.
Engine* find_engine();

/// Returns the calling thread's engine. Throws Error, naming `caller`, before initialize().
Engine& engine(const char* caller);

/// Returns the engine that the calling thread owns, or null.
Engine* find_own_engine();

/// Returns the engine that the calling thread owns; makes one if there is none.
Engine& own_engine();

/// Ends the engine that the calling thread uses: its own, or else the only one in the process. Does nothing if none is
/// alive.
void end_engine();

}  // namespace amp

// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

struct Engine;

// Which engine a thread uses. A thread that calls initialize() has an engine of its own. Any other thread uses the
// process's engine where exactly one is alive; where several are, none can be the right one, and that is an Error. An
// engine ends with shutdown(). One whose thread ended lives on, so that a program may set up on a thread of its own; it
// is freed when another engine is made, unless other threads used it.
//
// Looking one's engine up costs two loads while no engine begins or ends.

/// The calling thread's engine, or nullptr where none is alive.
Engine* find_engine();

/// Returns the calling thread's engine; throws Error, naming `caller`, before initialize().
Engine& engine(const char* caller);

/// The engine that the calling thread owns, or nullptr.
Engine* find_own_engine();

/// Returns the engine that the calling thread owns, made if there is none.
Engine& own_engine();

/// Ends the calling thread's engine: its own, or the only one. Does nothing where none is alive.
void end_engine();

}  // namespace amp

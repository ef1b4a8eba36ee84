// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::profiler {

namespace python {
struct Interpreter;
}

/// Returns a hash of the current instructions of all functions on this thread's Python stack. Returns 0 if unknown:
/// without Python, or before learn_python_frames() has succeeded.
///
/// Costs nanoseconds. Needs no lock, since a thread's frames change only while the thread runs Python code.
/// Instructions are identified by address, so the caller must keep their code objects alive.
std::uint64_t python_stack_number();

/// Finds the layout of this interpreter's frames (CPython 3.11 or later), by searching memory for values that the API
/// returns. Gives up after 16 failed calls. Does nothing once the layout is found. The caller must hold the
/// interpreter's lock.
void learn_python_frames(const python::Interpreter& python);

}  // namespace ampprof::profiler

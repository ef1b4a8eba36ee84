// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::profiler {

namespace python {
struct Interpreter;
}

/// Returns a number of what this thread's Python code is at: equal as long as each function on the stack is at the same
/// instruction. 0 where that is unknown: without Python, before learn_python_frames(), and where that has failed.
///
/// Takes no lock, so it costs nanoseconds: a thread's frames change only while it runs Python code. Instructions are
/// told by address, so their code must be kept alive.
std::uint64_t python_stack_number();

/// Finds out where this interpreter (CPython 3.11 or later) keeps frames: compares memory with what its API says, and
/// gives up where they differ. Does nothing once it is known. The caller holds the interpreter's lock.
void learn_python_frames(const python::Interpreter& python);

}  // namespace ampprof::profiler

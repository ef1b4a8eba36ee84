// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::profiler {

namespace python {
struct Interpreter;
}

/// Returns a number for the place of this thread's Python code. It is the same as long as each function on the stack is
/// at the same instruction. Returns 0 if the place is unknown: without Python, before learn_python_frames(), and after
/// that has failed.
///
/// Takes no lock, so it costs nanoseconds: a thread's frames change only while it runs Python code. Instructions are
/// identified by address, so their code must be kept alive.
std::uint64_t python_stack_number();

/// Finds where this interpreter (CPython 3.11 or later) keeps frames. Compares memory with the API's answers, and gives
/// up if they differ. Does nothing once the layout is known. The caller must hold the interpreter's lock.
void learn_python_frames(const python::Interpreter& python);

}  // namespace ampprof::profiler

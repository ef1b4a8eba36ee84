// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ampprof::profiler {

/// A place in the user's Python code.
struct PythonPlace {
  std::string line;  ///< "file:line"; "" if unknown
  /// Distinguishes expressions of one line: a hash of the expressions from the line's frame to the innermost one. The
  /// same in each process. 0 if unknown.
  std::uint64_t path = 0;
  std::uint64_t stack = 0;  ///< the same of all frames
};

/// Returns the place of this thread's innermost Python frame in the user's code, or, without one, in an installed
/// package. Returns empty without an interpreter in the process.
///
/// Takes the interpreter's lock, so the caller must hold no lock that Python code waits for. Keeps the code objects on
/// the stack alive, since python_stack_number() identifies code by its address.
std::optional<PythonPlace> python_place(const std::string& torch_folder);

}  // namespace ampprof::profiler

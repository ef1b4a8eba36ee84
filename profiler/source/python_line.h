// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ampprof::profiler {

/// A place in the user's Python code.
struct PythonPlace {
  std::string line;  ///< "file:line"; "" where it is not known
  /// Tells expressions of one line apart: made of the expressions from the line's frame to the innermost one. The same
  /// in each process. 0 where it is not known.
  std::uint64_t path = 0;
  std::uint64_t stack = 0;  ///< the same of all frames
};

/// Returns the place of the innermost frame of this thread's Python code that is the user's, or, without one, an
/// installed package's. Nothing where no interpreter is in the process.
///
/// Takes the interpreter's lock, so the caller must hold none that Python code waits for. Keeps the code objects on the
/// stack alive: python_stack_number() tells code by its address.
std::optional<PythonPlace> python_place(const std::string& torch_folder);

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ampprof::profiler {

/// A position in the user's Python code.
struct PythonPlace {
  std::string line;  ///< text "file:line"; "" if unknown
  /// Hash of the expressions in the frames from that of `line` to the innermost one. Distinguishes expressions in one
  /// line. Equal in all processes. 0 if unknown.
  std::uint64_t path = 0;
  std::uint64_t stack = 0;  ///< hash like `path`, but over all frames of the thread
};

/// Returns the position of this thread's innermost Python frame in the user's code; if there is none, of the innermost
/// frame in an installed package. Empty if the process has no interpreter.
///
/// Takes the interpreter's lock, so the caller must hold no lock that Python code waits for. Keeps the code objects on
/// the stack alive, since python_stack_number() identifies code by its address.
std::optional<PythonPlace> python_place(const std::string& torch_folder);

}  // namespace ampprof::profiler

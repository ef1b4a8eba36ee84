// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace ampprof::profiler {

/// Returns "file:line" of the innermost frame of this thread's Python code that is the user's, or, without one, an
/// installed package's. "" where no frame is either's; nothing where no interpreter is in the process.
///
/// Takes the interpreter's lock, so the caller must hold none that Python code waits for.
std::optional<std::string> python_line(const std::string& torch_folder);

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::profiler {

/// A position in Python code: a PythonPlace whose line is an id instead of a text.
struct CodePlace {
  std::int32_t line = 0;    ///< id of the line (SourcePlaces::Id), not its number
  std::uint64_t path = 0;   ///< hash of the expressions on the stack (PythonPlace::path)
  std::uint64_t stack = 0;  ///< hash like `path`, but over all frames of the thread (PythonPlace::stack)
};

}  // namespace ampprof::profiler

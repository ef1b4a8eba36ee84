// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::profiler {

/// A position in Python code: PythonPlace with its line as an id.
struct CodePlace {
  std::int32_t line = 0;    ///< SourcePlaces::Id
  std::uint64_t path = 0;   ///< PythonPlace::path
  std::uint64_t stack = 0;  ///< PythonPlace::stack
};

}  // namespace ampprof::profiler

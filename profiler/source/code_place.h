// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof::profiler {

/// A place in Python code.
struct CodePlace {
  std::int32_t line = 0;    ///< SourcePlaces::Id
  std::uint64_t path = 0;   ///< PythonPlace::path
  std::uint64_t stack = 0;  ///< PythonPlace::stack
};

}  // namespace ampprof::profiler

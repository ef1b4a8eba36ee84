// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct Dwfl;

namespace ampprof::profiler {

/// Tells where the code of this process was written, by the DWARF in its files (libdw). To open it and each question
/// take milliseconds. Looks at local files alone. Not thread-safe.
class DebugLines {
 public:
  struct Position {
    std::string file;
    int line = 0;
  };

  DebugLines();

  /// Returns where the code at an address is from, innermost inlined function first. Empty without debug information.
  std::vector<Position> positions_of(std::uintptr_t address) const;
  /// Returns the demangled name of the function at an address; "" where the file has no symbol of it.
  std::string function_at(std::uintptr_t address) const;

 private:
  struct End {
    void operator()(Dwfl* dwfl) const;
  };
  std::unique_ptr<Dwfl, End> dwfl_;
};

}  // namespace ampprof::profiler

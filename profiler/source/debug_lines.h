// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct Dwfl;

namespace ampprof::profiler {

/// Finds source lines for code addresses of this process, from the DWARF in its object files (libdw). The constructor
/// and each query take milliseconds. Reads local files only. Not thread-safe.
class DebugLines {
 public:
  struct Position {
    std::string file;
    int line = 0;
  };

  DebugLines();

  /// Returns the source positions of the code at an address, innermost inlined function first. Empty without debug
  /// information.
  std::vector<Position> positions_of(std::uintptr_t address) const;
  /// Returns the demangled name of the function at an address; "" if the file has no symbol for it.
  std::string function_at(std::uintptr_t address) const;

 private:
  struct End {
    void operator()(Dwfl* dwfl) const;
  };
  std::unique_ptr<Dwfl, End> dwfl_;
};

}  // namespace ampprof::profiler

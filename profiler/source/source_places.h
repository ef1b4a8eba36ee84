// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/source/code_place.h"

namespace ampprof::profiler {

/// Numbers the lines of the user's code, each once. Thread-safe.
class SourcePlaces {
 public:
  using Id = std::int32_t;
  static constexpr Id kUnknown = 0;

  /// `torch_folder` is the folder of the Python package torch, or "".
  explicit SourcePlaces(std::string torch_folder) : torch_folder_(std::move(torch_folder)) {}

  /// Returns the line that this thread runs: Python's with an interpreter in the process, else that of native code.
  /// Takes the interpreter's lock, so the caller must hold no lock that Python code waits for.
  Id here();
  /// Returns whether an interpreter is in the process.
  static bool has_python();
  /// Returns this thread's place in Python code, or an empty one without Python. Takes the interpreter's lock if the
  /// thread's stack is a new one.
  CodePlace in_python();
  /// Returns the place with this text, "file:line".
  Id at(const std::string& text);

  /// Returns "file:line"; "" if unknown, and for native code before resolve().
  std::string text_of(Id place) const;
  /// Returns whether the place gets its text in resolve().
  bool is_open(Id place) const;

  /// Finds the lines of native code, in about a second for a large program. For a file without debug information, the
  /// text is the function's name. Returns the number of such places.
  std::int64_t resolve();

 private:
  struct Location {
    std::string text;
    std::vector<std::uintptr_t> frames{};  ///< of native code, until resolve()
  };

  Id add(Location place);

  const std::string torch_folder_;
  mutable std::mutex mutex_;
  std::vector<Location> places_{{}};
  std::map<std::string, Id> by_text_{{"", kUnknown}};
  std::map<std::vector<std::uintptr_t>, Id> by_frames_{{{}, kUnknown}};
  std::unordered_map<std::uint64_t, CodePlace> by_stack_;
};

}  // namespace ampprof::profiler

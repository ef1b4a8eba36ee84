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

/// The lines of the user's code that things were met at, each once. Thread-safe.
class SourcePlaces {
 public:
  using Id = std::int32_t;
  static constexpr Id kUnknown = 0;

  /// `torch_folder`: that of the Python package torch, "" without one.
  explicit SourcePlaces(std::string torch_folder) : torch_folder_(std::move(torch_folder)) {}

  /// Returns the line that this thread runs: Python's where an interpreter is in the process, else that of native code.
  /// Takes the interpreter's lock, so the caller must hold none that Python code waits for.
  Id here();
  /// Returns whether an interpreter is in the process.
  static bool has_python();
  /// Returns the place in Python code that this thread is at; an empty one without Python. Takes the interpreter's lock
  /// where the thread's stack is a new one.
  CodePlace in_python();
  /// Returns the place with this text, "file:line".
  Id at(const std::string& text);

  /// Returns "file:line"; "" where it is not known, and of native code until resolve().
  std::string text_of(Id place) const;
  /// Returns whether its text is still to come.
  bool is_open(Id place) const;

  /// Finds the lines of native code, for about a second in a large program. Where a file has no debug information, the
  /// text is the function's name; returns how many places that were.
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

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

/// Gives each line of the user's code an id. Thread-safe.
class SourcePlaces {
 public:
  using Id = std::int32_t;
  static constexpr Id kUnknown = 0;

  /// `torch_folder` is the folder of the Python package torch, or "".
  explicit SourcePlaces(std::string torch_folder) : torch_folder_(std::move(torch_folder)) {}

  /// Returns the line of the user's code that this thread runs: of Python code if the process has an interpreter, else
  /// of native code. Takes the interpreter's lock, so the caller must hold no lock that Python code waits for.
  Id here();
  /// Returns whether the process has a Python interpreter.
  static bool has_python();
  /// Returns this thread's position in Python code; an empty one if the process has no interpreter. Takes the
  /// interpreter's lock if python_stack_number() is 0 or was not seen before.
  CodePlace in_python();
  /// Returns the id of a text "file:line".
  Id at(const std::string& text);

  /// Returns "file:line"; "" if unknown, or for native code before resolve().
  std::string text_of(Id place) const;
  /// Returns whether this is a line of native code that resolve() has not found yet.
  bool is_open(Id place) const;

  /// Finds the lines of native code, in about a second for a large program. An address without debug information gets
  /// the name of its function as its text. Returns the number of addresses without debug information.
  std::int64_t resolve();

 private:
  struct Location {
    std::string text;
    std::vector<std::uintptr_t> frames{};  ///< for native code before resolve(): users_native_frames()
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

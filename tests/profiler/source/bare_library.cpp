// SPDX-License-Identifier: Apache-2.0
// A user's library without debug information.
#include <thread>

#include "profiler/source/source_places.h"

using ampprof::profiler::SourcePlaces;

/// Imitates code of a LibTorch header that is instantiated in the user's library.
namespace torch {
__attribute__((noinline)) void call(SourcePlaces& places, SourcePlaces::Id& place) { place = places.here(); }
}  // namespace torch

__attribute__((noinline)) void bare_step(SourcePlaces& places, SourcePlaces::Id& place) {
  torch::call(places, place);
  asm volatile("" : : : "memory");  // prevents a tail call
}

/// Calls `function` from inside the library.
extern "C" void call_back(void (*function)()) {
  function();
  asm volatile("" : : : "memory");  // prevents a tail call
}

/// Asks for the source place on a new thread, whose stack has no code with debug information.
extern "C" SourcePlaces::Id place_without_line(SourcePlaces* places) {
  SourcePlaces::Id place = 0;
  std::thread([&] { bare_step(*places, place); }).join();
  return place;
}

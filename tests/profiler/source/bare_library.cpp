// SPDX-License-Identifier: Apache-2.0
// A library of the user's without debug information.
#include <thread>

#include "profiler/source/source_places.h"

using ampprof::profiler::SourcePlaces;

/// As a header of LibTorch that is instantiated in the user's library.
namespace torch {
__attribute__((noinline)) void call(SourcePlaces& places, SourcePlaces::Id& place) { place = places.here(); }
}  // namespace torch

__attribute__((noinline)) void bare_step(SourcePlaces& places, SourcePlaces::Id& place) {
  torch::call(places, place);
  asm volatile("" : : : "memory");  // no tail call
}

/// Calls from inside of the library.
extern "C" void call_back(void (*function)()) {
  function();
  asm volatile("" : : : "memory");  // no tail call
}

/// On a thread of its own, so that nothing with debug information is around it.
extern "C" SourcePlaces::Id place_without_line(SourcePlaces* places) {
  SourcePlaces::Id place = 0;
  std::thread([&] { bare_step(*places, place); }).join();
  return place;
}

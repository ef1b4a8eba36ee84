// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/source/source_places.h"

namespace ampprof::profiler::source_places_test {

/// Imitates an inline function of a LibTorch header: this file is in a folder with the name of LibTorch's.
inline __attribute__((always_inline)) SourcePlaces::Id inlined_from_torch(SourcePlaces& places) {
  return places.here();
}

__attribute__((noinline)) inline std::uintptr_t address_of_call() {
  return reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
}

inline __attribute__((always_inline)) std::uintptr_t address_in_torch() { return address_of_call(); }

}  // namespace ampprof::profiler::source_places_test

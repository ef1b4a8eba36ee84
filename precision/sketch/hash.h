// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "precision/formats/types/everywhere.h"

/// Hashes for sketches and checksums. They are equal on every processor and in every version, since reports are
/// compared years later.
namespace ampprof::sketch {

/// Returns an odd factor for each element index, for a weighted sum of words. If one word differs, the sums differ; if
/// several differ, they hardly ever cancel. Index and factor have 32 bits, since every processor can multiply these in
/// vectors.
AMPPROF_EVERYWHERE constexpr std::uint64_t factor_of(std::uint32_t place) {
  return (place + 1) * std::uint32_t{0x9E3779B1} | 1U;
}

/// Returns a random word for a counter: the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
AMPPROF_EVERYWHERE constexpr std::uint64_t mixed(std::uint64_t counter) {
  std::uint64_t word = (counter + 1) * 0x9E3779B97F4A7C15;
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
  word = (word ^ word >> 27) * 0x94D049BB133111EB;
  return word ^ word >> 31;
}

}  // namespace ampprof::sketch

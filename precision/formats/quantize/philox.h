// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "precision/formats/types/everywhere.h"

/// Random numbers as a function of a seed and a position, whatever the order of the calls: Philox 4x32-10 (Salmon,
/// Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC 2011).
namespace ampprof::quantize {

/// Four 32-bit words: a counter or its hash.
struct Words {
  std::uint32_t a, b, c, d;
};

/// Identifies a random sequence: the seed for a run, the stream for a tensor and step within it.
struct RandomKey {
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
};

/// Computes one round: two 32-bit products whose halves are exchanged.
AMPPROF_EVERYWHERE constexpr Words philox_round(Words counter, std::uint32_t key_a, std::uint32_t key_b) {
  const std::uint64_t first = std::uint64_t{0xD2511F53U} * counter.a;
  const std::uint64_t second = std::uint64_t{0xCD9E8D57U} * counter.c;
  return {static_cast<std::uint32_t>(second >> 32) ^ counter.b ^ key_a, static_cast<std::uint32_t>(second),
          static_cast<std::uint32_t>(first >> 32) ^ counter.d ^ key_b, static_cast<std::uint32_t>(first)};
}

AMPPROF_EVERYWHERE constexpr Words philox(Words counter, std::uint64_t key) {
  constexpr std::uint32_t kGolden = 0x9E3779B9U;  // golden ratio - 1
  constexpr std::uint32_t kRoot = 0xBB67AE85U;    // square root of 3, minus 1
  auto key_a = static_cast<std::uint32_t>(key);
  auto key_b = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    counter = philox_round(counter, key_a, key_b);
    key_a += kGolden;
    key_b += kRoot;
  }
  return counter;
}

/// Number of elements of a row-major matrix that share a counter. Each element uses half a word, the lower half first.
inline constexpr std::uint64_t kElementsPerCounter = 8;

/// Returns the words for the elements from index 8 · `counter` on.
AMPPROF_EVERYWHERE constexpr Words random_words(std::uint64_t counter, RandomKey key) {
  return philox({static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32),
                 static_cast<std::uint32_t>(key.stream), static_cast<std::uint32_t>(key.stream >> 32)},
                key.seed);
}

}  // namespace ampprof::quantize

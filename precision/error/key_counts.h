// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "precision/error/block_loops.h"

/// Counts how often each byte (key) occurs. Included only by kernels_cpu.cpp.
namespace ampprof::error::cpu::loops {

using KeyCounts = std::array<std::uint32_t, 256>;

/// Returns the size of the largest block in which, with vectors of `width` bytes, no byte lane counts beyond 64.
constexpr std::size_t block_of(int width) { return std::size_t{64} * static_cast<std::size_t>(width); }

/// Counts keys in eight tables, so that increments of equal neighbouring keys do not wait for each other's store.
[[gnu::always_inline]] inline void count_in_tables(const std::uint8_t* keys, std::size_t size, KeyCounts& counts) {
  std::array<std::array<std::uint16_t, 256>, 8> tables{};
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, keys + i, sizeof eight);
    for (int j = 0; j < 8; ++j) ++tables[j][eight >> 8 * j & 255];
  }
  for (; i < size; ++i) ++tables[0][keys[i]];
  for (const auto& table : tables) {
    for (std::size_t key = 0; key < counts.size(); ++key) counts[key] += table[key];
  }
}

template <typename Bytes>
[[gnu::always_inline]] inline void count_equal(Bytes& count, Bytes keys, Bytes key) {
  // With AVX-512 a comparison gives a mask, and a masked addition is one instruction. With other instruction sets a
  // comparison gives -1 for each equal lane.
  if constexpr (sizeof(Bytes) == 64) {
    count = keys == key ? count + 1 : count;
  } else {
    count -= (Bytes)(keys == key);
  }
}

/// Counts the keys from `lowest` to `highest` by comparing all bytes with each key, four keys per pass. Faster than
/// tables if there are few keys. `size` is a multiple of Width.
template <int Width>
[[gnu::always_inline]] inline void count_by_comparing(const std::uint8_t* keys, std::size_t size, int lowest,
                                                      int highest, KeyCounts& counts) {
  using Bytes = typename Vector<Width>::Byte;
  constexpr int kAtOnce = 4;
  for (int first = lowest; first <= highest; first += kAtOnce) {
    Bytes found[kAtOnce] = {};
    for (std::size_t i = 0; i < size; i += Width) {
      const auto some = load<Bytes>(keys + i);
      for (int j = 0; j < kAtOnce; ++j) count_equal(found[j], some, Bytes{} + static_cast<std::uint8_t>(first + j));
    }
    for (int j = 0; j < kAtOnce && first + j <= highest; ++j) {
      counts[static_cast<std::size_t>(first + j)] +=
          joined(found[j], std::uint32_t{0}, [](std::uint32_t a, std::uint32_t b) { return a + b; });
    }
  }
}

/// Counts each key among `size` keys, at most block_of(Width).
template <int Width>
[[gnu::always_inline]] inline KeyCounts count_keys(const std::uint8_t* keys, std::size_t size) {
  using Bytes = typename Vector<Width>::Byte;
  constexpr int kFew = 40;
  KeyCounts counts{};
  Bytes lowest_less_one = Bytes{} - 1;  // key 0 (zeros, far below all other keys) wraps to the largest
  Bytes largest{};
  const std::size_t whole = size - size % Width;
  for (std::size_t i = 0; i < whole; i += Width) {
    const auto some = load<Bytes>(keys + i);
    keep_smaller(lowest_less_one, some - 1);
    keep_larger(largest, some);
  }
  const auto byte_min = [](std::uint8_t a, std::uint8_t b) { return b < a ? b : a; };
  const auto byte_max = [](std::uint8_t a, std::uint8_t b) { return b > a ? b : a; };
  const int lowest = joined(lowest_less_one, std::uint8_t{255}, byte_min) + 1;
  const int highest = joined(largest, std::uint8_t{0}, byte_max);
  if (highest - lowest >= kFew) {
    count_in_tables(keys, size, counts);
    return counts;
  }
  count_by_comparing<Width>(keys, whole, lowest, highest, counts);
  std::uint32_t not_zero = 0;
  for (int key = lowest; key <= highest; ++key) not_zero += counts[static_cast<std::size_t>(key)];
  counts[0] = static_cast<std::uint32_t>(whole) - not_zero;
  for (std::size_t i = whole; i < size; ++i) ++counts[keys[i]];
  return counts;
}

}  // namespace ampprof::error::cpu::loops

// SPDX-License-Identifier: Apache-2.0
#include "precision/sketch/sketch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "precision/formats/types/dispatch.h"
#include "precision/formats/types/widen.h"
#include "precision/sketch/hash.h"

namespace ampprof::sketch {
namespace {

constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

/// Sums per lane over all blocks. Independent sums let the compiler vectorize the loops below.
struct Lanes {
  std::array<double, kBlock> sums{};
  std::array<double, kBlock> squares{};
  std::array<std::int64_t, kBlock> nonfinite{};
};

/// Adds one block: each value goes to a different sum, after a rotation by a random number of positions. So only values
/// in different blocks share a sum, and all such pairs with the same probability.
template <typename T>
[[gnu::always_inline]] inline void add_block(const T* from, std::size_t count, std::uint64_t number, Lanes& lanes) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  const std::uint64_t signs = mixed(2 * number);
  const std::size_t turn = mixed(2 * number + 1) % kBlock;
  std::array<double, 2 * kBlock> values;  // stored twice, so that a rotated block is contiguous
  if (count != kBlock) values.fill(0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const double value = static_cast<double>(from[i]);
    const bool is_finite = std::abs(value) <= kLargest;
    values[i] = is_finite ? value : 0.0;
    lanes.nonfinite[i] += is_finite ? 0 : 1;
  }
  for (std::size_t i = 0; i < kBlock; ++i) {
    lanes.squares[i] += values[i] * values[i];
    values[kBlock + i] = values[i];
  }
  for (std::size_t i = 0; i < kBlock; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(values[turn + i]) ^ (signs << (kBlock - 1 - i) & kSignBit);
    lanes.sums[i] += std::bit_cast<double>(bits);
  }
}

template <typename T>
struct Adding {
  template <int Width>
  struct Loop {
    [[gnu::always_inline]] static void of(const T* values, std::size_t size, std::uint64_t block, Lanes* lanes) {
      for (; size >= kBlock; size -= kBlock, values += kBlock) add_block(values, kBlock, block++, *lanes);
      if (size != 0) add_block(values, size, block, *lanes);
    }
  };
};

/// Sums words at any address. `total` is a local variable: through a pointer it might alias a word, and the loop would
/// not be vectorized.
template <int Width>
struct SumWords {
  [[gnu::always_inline]] static void of(const std::byte* data, std::size_t count, std::uint32_t start,
                                        std::uint64_t* sum) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t word;
      std::memcpy(&word, data + i * sizeof word, sizeof word);
      total += std::uint64_t{word} * factor_of(start + static_cast<std::uint32_t>(i));
    }
    *sum = total;
  }
};

void add_to(Sketch& sketch, const Lanes& lanes) {
  for (std::size_t i = 0; i < kBlock; ++i) {
    sketch.sums[i] += lanes.sums[i];
    sketch.sum_sq += lanes.squares[i];
    sketch.nonfinite += lanes.nonfinite[i];
  }
}

using error::cpu::best_instruction_set;
using error::cpu::loop_for;

template <typename T>
void add_values(const T* values, std::size_t size, std::uint64_t start, Sketch& sketch) {
  static const auto loop =
      loop_for<Adding<T>::template Loop, const T*, std::size_t, std::uint64_t, Lanes*>(best_instruction_set());
  Lanes lanes;
  loop.run(values, size, start / kBlock, &lanes);
  add_to(sketch, lanes);
}

/// Adds values of a narrow type, widened piece by piece.
template <typename Word, typename Widen>
void add_narrow(const error::Elements& values, std::uint64_t start, Sketch& sketch, Widen widen) {
  constexpr std::size_t kStretch = 4096;
  std::array<float, kStretch> wide;
  const auto* const words = static_cast<const Word*>(values.data);
  for (std::size_t done = 0; done < values.size; done += kStretch) {
    const std::size_t size = std::min(kStretch, values.size - done);
    widen(std::span(words + done, size), wide.data());
    add_values(wide.data(), size, start + done, sketch);
  }
}

}  // namespace

std::uint64_t checksum_of(const void* data, std::size_t count, std::size_t bytes_each, std::uint64_t start) {
  static const auto loop =
      loop_for<SumWords, const std::byte*, std::size_t, std::uint32_t, std::uint64_t*>(best_instruction_set());
  const std::size_t bytes = count * bytes_each;
  const std::size_t words = bytes / sizeof(std::uint32_t);
  const auto first = static_cast<std::uint32_t>(start * bytes_each / sizeof(std::uint32_t));
  std::uint64_t sum = 0;
  loop.run(static_cast<const std::byte*>(data), words, first, &sum);
  if (const std::size_t rest = bytes % sizeof(std::uint32_t); rest != 0) {
    std::uint32_t last = 0;
    std::memcpy(&last, static_cast<const std::byte*>(data) + bytes - rest, rest);
    sum += std::uint64_t{last} * factor_of(first + static_cast<std::uint32_t>(words));
  }
  return sum;
}

std::uint64_t combined(std::uint64_t before, std::uint64_t next) { return mixed(before) + next; }

void add(const error::Elements& values, std::uint64_t start, Sketch& sketch) {
  const std::size_t bytes_each = size_of(values.dtype);
  const std::uint64_t bits = checksum_of(values.data, values.size, bytes_each, start);
  sketch.checksum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sketch.checksum) + bits);
  sketch.elements += static_cast<std::int64_t>(values.size);
  switch (values.dtype) {
    case DType::Float:
      return add_values(static_cast<const float*>(values.data), values.size, start, sketch);
    case DType::Double:
      return add_values(static_cast<const double*>(values.data), values.size, start, sketch);
    case DType::Half:
      return add_narrow<std::uint16_t>(values, start, sketch, error::cpu::widen_half);
    case DType::BFloat16:
      return add_narrow<std::uint16_t>(values, start, sketch, error::cpu::widen_bfloat16);
    case DType::Float8E4M3:
      return add_narrow<std::uint8_t>(values, start, sketch, error::cpu::widen_float8_e4m3);
    case DType::Float8E5M2:
      return add_narrow<std::uint8_t>(values, start, sketch, error::cpu::widen_float8_e5m2);
    default:
      return;  // integers or complex numbers: only the checksum exists
  }
}

void merge(Sketch& sketch, const Sketch& other) {
  sketch.elements += other.elements;
  sketch.nonfinite += other.nonfinite;
  sketch.checksum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sketch.checksum) +
                                              static_cast<std::uint64_t>(other.checksum));
  sketch.sum_sq += other.sum_sq;
  for (std::size_t i = 0; i < kSketchSums; ++i) sketch.sums[i] += other.sums[i];
}

}  // namespace ampprof::sketch

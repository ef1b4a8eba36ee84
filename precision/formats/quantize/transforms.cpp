// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "precision/formats/quantize/lines.h"
#include "precision/formats/types/dispatch.h"

namespace ampprof::quantize::lines {
namespace {

constexpr std::size_t kTile = 16;
constexpr float kQuarter = 0.25F;  // 1 / √16

using Sixteen [[gnu::vector_size(64)]] = float;
using Places [[gnu::vector_size(64)]] = std::int32_t;

[[gnu::always_inline]] inline Sixteen loaded(const float* from) {
  Sixteen values;
  std::memcpy(&values, from, sizeof values);
  return values;
}

/// Replaces each pair (a, b) of elements `distance` apart by (a + b, a - b).
template <std::int32_t distance>
[[gnu::always_inline]] inline Sixteen butterfly(Sixteen values) {
  constexpr auto at = [](std::int32_t i) { return i ^ distance; };
  constexpr auto sign = [](std::int32_t i) { return (i & distance) != 0 ? -1.0F : 1.0F; };
  constexpr Places kOther{at(0), at(1), at(2),  at(3),  at(4),  at(5),  at(6),  at(7),
                          at(8), at(9), at(10), at(11), at(12), at(13), at(14), at(15)};
  constexpr Sixteen kSigns{sign(0), sign(1), sign(2),  sign(3),  sign(4),  sign(5),  sign(6),  sign(7),
                           sign(8), sign(9), sign(10), sign(11), sign(12), sign(13), sign(14), sign(15)};
  return __builtin_shuffle(values, kOther) + values * kSigns;
}

template <int Width>
struct Line {
  [[gnu::always_inline]] static void of(const float* from, std::size_t size, const Signs& before, const Signs& behind,
                                        float* to) {
    const Sixteen first = loaded(before.data());
    const Sixteen last = loaded(behind.data()) * kQuarter;
    for (std::size_t i = 0; i < size; i += kTile) {
      const Sixteen pairs = butterfly<1>(loaded(from + i) * first);
      const Sixteen whole = butterfly<8>(butterfly<4>(butterfly<2>(pairs))) * last;
      std::memcpy(to + i, &whole, sizeof whole);
    }
  }
};

template <int Width>
struct Columns {
  [[gnu::always_inline]] static void of(const float* from, std::ptrdiff_t from_stride, std::size_t size,
                                        const Signs& before, const Signs& behind, float* to, std::ptrdiff_t to_stride) {
    for (std::size_t i = 0; i + kTile <= size; i += kTile) {
      of_vectors(from + i, from_stride, kTile, before, behind, to + i, to_stride);
    }
    const std::size_t rest = size % kTile;
    if (rest != 0) of_vectors(from + size - rest, from_stride, rest, before, behind, to + size - rest, to_stride);
  }

 private:
  [[gnu::always_inline]] static void of_vectors(const float* from, std::ptrdiff_t from_stride, std::size_t size,
                                                const Signs& before, const Signs& behind, float* to,
                                                std::ptrdiff_t to_stride) {
    Sixteen values[kTile];
#pragma GCC unroll 16
    for (std::size_t row = 0; row < kTile; ++row) {
      values[row] = Sixteen{};
      const float* line = from + static_cast<std::ptrdiff_t>(row) * from_stride;
      std::memcpy(&values[row], line, size == kTile ? sizeof values[row] : size * sizeof(float));
      values[row] *= before[row];
    }
#pragma GCC unroll 4
    for (std::size_t distance = 1; distance < kTile; distance *= 2) {
#pragma GCC unroll 16
      for (std::size_t row = 0; row < kTile; ++row) {
        if ((row & distance) != 0) continue;
        const Sixteen lower = values[row];
        values[row] = lower + values[row | distance];
        values[row | distance] = lower - values[row | distance];
      }
    }
#pragma GCC unroll 16
    for (std::size_t row = 0; row < kTile; ++row) {
      values[row] *= behind[row] * kQuarter;
      float* line = to + static_cast<std::ptrdiff_t>(row) * to_stride;
      std::memcpy(line, &values[row], size == kTile ? sizeof values[row] : size * sizeof(float));
    }
  }
};

}  // namespace

TransformLine transform_line_for(error::cpu::InstructionSet instructions) {
  return error::cpu::loop_for<Line, const float*, std::size_t, const Signs&, const Signs&, float*>(instructions).run;
}

TransformColumns transform_columns_for(error::cpu::InstructionSet instructions) {
  return error::cpu::loop_for<Columns, const float*, std::ptrdiff_t, std::size_t, const Signs&, const Signs&, float*,
                              std::ptrdiff_t>(instructions)
      .run;
}

}  // namespace ampprof::quantize::lines

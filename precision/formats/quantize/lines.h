// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "precision/formats/quantize/element_rounding.h"
#include "precision/formats/quantize/philox.h"
#include "precision/formats/recipes/operand.h"
#include "precision/formats/types/instruction_set.h"

/// Loops over a part of a row that stays in the first-level cache, compiled for each instruction set.
namespace ampprof::quantize::lines {

/// Where a rounded line's scales are: one for each element.
struct Scales {
  const float* multipliers;
  const float* inverses;
};

struct Counts {
  bool with_saturated = true;  ///< false where none can be
  std::int32_t flushed = 0;
  std::int32_t saturated = 0;
};

struct Sums {
  double sum_sq = 0;
  double sum_sq_error = 0;
};

/// `largest[i]` becomes the larger of itself and the bits of |line[i]|: NaN above inf.
using RaiseMagnitudes = void (*)(const float* line, std::size_t size, std::int32_t* largest);
/// The largest of each `width` magnitudes, the last of which may be fewer.
using LargestOfGroups = void (*)(const std::int32_t* magnitudes, std::size_t size, std::size_t width,
                                 std::int32_t* largest);
/// largest_of_groups() of a line's magnitudes.
using LargestOfLineGroups = void (*)(const float* line, std::size_t size, std::size_t width, std::int32_t* largest);
/// One scale for each of `count` blocks, from the bits of their largest magnitudes.
using FindScales = void (*)(const std::int32_t* amax, std::size_t count, float largest, float tensor_scale,
                            float* multipliers, float* inverses);
/// Repeats each value `width` times, the last perhaps fewer, to `size` in all.
using Spread = void (*)(const float* values, std::size_t width, std::size_t size, float* to);
/// Rounds, counts, and gives back the scale.
using RoundNearest = void (*)(const float* line, std::size_t size, Scales scales, const ElementRange& range, float* to,
                              Counts& counts);
using RoundStochastic = void (*)(const float* line, std::size_t size, Scales scales, const std::uint16_t* random,
                                 const ElementRange& range, float* to, Counts& counts);
/// The halves of random_words(), the lower first, for `count` counters from `first` on; `random` is a multiple of 4
/// bytes.
using FillRandom = void (*)(std::uint64_t first, std::size_t count, RandomKey key, std::uint16_t* random);
static_assert(std::endian::native == std::endian::little);

/// Adds the squares of values, and of what was lost, times `unit`, which brings them near 1. All are finite.
using AddSquares = void (*)(const float* line, const float* rounded, std::size_t size, float unit, Sums& sums);
/// Signs that stand before H₁₆ or behind it, one for each element of a tile.
using Signs = std::array<float, 16>;
/// Multiplies tiles of 16 by `before`, H₁₆ / 4 and `behind`. A tile is 16 elements of a line, whose size is a multiple
/// of that, or of a column: then `from` and `to` have 16 lines. They may be the same.
using TransformLine = void (*)(const float* from, std::size_t size, const Signs& before, const Signs& behind,
                               float* to);
using TransformColumns = void (*)(const float* from, std::ptrdiff_t from_stride, std::size_t size, const Signs& before,
                                  const Signs& behind, float* to, std::ptrdiff_t to_stride);

/// The loops for one instruction set.
struct Kernels {
  RaiseMagnitudes raise_magnitudes;
  LargestOfGroups largest_of_groups;
  LargestOfLineGroups largest_of_line_groups;
  FindScales find_scales;
  Spread spread;
  RoundNearest round_nearest;
  RoundStochastic round_stochastic;
  FillRandom fill_random;
  AddSquares add_squares;
  TransformLine transform_line;
  TransformColumns transform_columns;
};

Kernels kernels_for(recipes::Scale scale, error::cpu::InstructionSet instructions);

/// In files of their own: squares.cpp, whose sums need a free order of addition, which roundings must not have, and
/// transforms.cpp.
AddSquares add_squares_for(error::cpu::InstructionSet instructions);
TransformLine transform_line_for(error::cpu::InstructionSet instructions);
TransformColumns transform_columns_for(error::cpu::InstructionSet instructions);

}  // namespace ampprof::quantize::lines

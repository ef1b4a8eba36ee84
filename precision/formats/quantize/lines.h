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

/// Loops over part of a row that fits into the L1 cache, compiled for each instruction set.
namespace ampprof::quantize::lines {

/// Scales of a line, one per element.
struct Scales {
  const float* multipliers;
  const float* inverses;
};

struct Counts {
  bool with_saturated = true;  ///< false if no value can saturate
  std::int32_t flushed = 0;
  std::int32_t saturated = 0;
};

struct Sums {
  double sum_sq = 0;
  double sum_sq_error = 0;
};

/// Raises `largest[i]` to the bits of |line[i]|, where NaN is above inf.
using RaiseMagnitudes = void (*)(const float* line, std::size_t size, std::int32_t* largest);
/// Finds the largest magnitude of each group of `width`; the last group may be shorter.
using LargestOfGroups = void (*)(const std::int32_t* magnitudes, std::size_t size, std::size_t width,
                                 std::int32_t* largest);
/// Finds the largest magnitude of each group of `width` values in a line.
using LargestOfLineGroups = void (*)(const float* line, std::size_t size, std::size_t width, std::int32_t* largest);
/// Finds one scale for each of `count` blocks, from the bits of their largest magnitudes.
using FindScales = void (*)(const std::int32_t* amax, std::size_t count, float largest, float tensor_scale,
                            float* multipliers, float* inverses);
/// Repeats each value `width` times, until `size` values are written.
using Spread = void (*)(const float* values, std::size_t width, std::size_t size, float* to);
/// Scales and rounds each value, counts flushed and saturated ones, and divides by the scale again.
using RoundNearest = void (*)(const float* line, std::size_t size, Scales scales, const ElementRange& range, float* to,
                              Counts& counts);
using RoundStochastic = void (*)(const float* line, std::size_t size, Scales scales, const std::uint16_t* random,
                                 const ElementRange& range, float* to, Counts& counts);
/// Writes the halves of random_words(), the lower one first, for `count` counters from `first` on. `random` is aligned
/// to 4 bytes.
using FillRandom = void (*)(std::uint64_t first, std::size_t count, RandomKey key, std::uint16_t* random);
static_assert(std::endian::native == std::endian::little);

/// Adds the squares of the values and of their rounding errors. Values and errors are multiplied by `unit` first, which
/// scales the values to about 1. All values are finite.
using AddSquares = void (*)(const float* line, const float* rounded, std::size_t size, float unit, Sums& sums);
/// Signs before or after H₁₆, one per element of a tile.
using Signs = std::array<float, 16>;
/// Multiplies tiles of 16 by `before`, H₁₆ / 4 and `behind`. In TransformLine a tile is 16 elements of a line, whose
/// size is a multiple of 16. In TransformColumns it is 16 elements of a column, and `from` and `to` have 16 lines.
/// `from` and `to` may be the same.
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

/// The first function is defined in squares.cpp, which is compiled with reordered additions; the rounding loops forbid
/// these. The other two are defined in transforms.cpp.
AddSquares add_squares_for(error::cpu::InstructionSet instructions);
TransformLine transform_line_for(error::cpu::InstructionSet instructions);
TransformColumns transform_columns_for(error::cpu::InstructionSet instructions);

}  // namespace ampprof::quantize::lines

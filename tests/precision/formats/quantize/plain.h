// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "precision/formats/quantize/quantize.h"
#include "precision/formats/recipes/operand_text.h"
#include "reports/records/recipe_matmul.h"

/// Defines quantize() one element and one block at a time, with the C library's functions. Products with scales are in
/// float, as in hardware; everything else is exact.
namespace ampprof::quantize::plain {

using recipes::Direction;
using recipes::Operand;
using recipes::Scale;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kQuietNaN = std::numeric_limits<float>::quiet_NaN();

/// Parses an operand written as in a recipe file.
inline Operand operand_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    words.push_back(text.substr(0, text.find(' ')));
    text.remove_prefix(std::min(words.back().size() + 1, text.size()));
  }
  return recipes::operand_from(words);
}

/// A dense matrix.
struct Values {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<float> data = {};

  float& at(std::int64_t row, std::int64_t column) { return data[static_cast<std::size_t>(row * columns + column)]; }
  float at(std::int64_t row, std::int64_t column) const {
    return data[static_cast<std::size_t>(row * columns + column)];
  }
};

/// Returns the distance between neighbouring values of a format at a magnitude.
inline double spacing_at(double magnitude, const error::NumberFormat& format) {
  const int exponent = magnitude == 0 ? format.min_exponent : std::max(std::ilogb(magnitude), format.min_exponent);
  return std::ldexp(1.0, exponent - format.mantissa_bits);
}

/// Rounds to nearest, ties to even.
inline double nearest(double magnitude, const error::NumberFormat& format) {
  if (std::isnan(magnitude)) return magnitude;
  if (magnitude > format.largest) return format.largest;
  const double spacing = spacing_at(magnitude, format);
  return std::nearbyint(magnitude / spacing) * spacing;
}

/// Rounds up with a probability equal to the distance from the lower neighbour, measured in spacings.
inline double stochastic(double magnitude, double uniform, const error::NumberFormat& format) {
  if (std::isnan(magnitude)) return magnitude;
  if (magnitude > format.largest) return format.largest;
  const double spacing = spacing_at(magnitude, format);
  const double lower = std::floor(magnitude / spacing);
  return (uniform < magnitude / spacing - lower ? lower + 1 : lower) * spacing;
}

/// Returns an element's random number in (0, 1): the middle of one of 2^16 equal parts.
inline double uniform_of(std::int64_t element, RandomKey key) {
  const Words words = random_words(static_cast<std::uint64_t>(element / 8), key);
  const std::array<std::uint32_t, 4> all{words.a, words.b, words.c, words.d};
  const std::uint32_t word = all[static_cast<std::size_t>(element % 8 / 2)];
  const std::uint32_t part = element % 2 == 0 ? word & 0xffffU : word >> 16;
  return std::ldexp(static_cast<double>(part) + 0.5, -16);
}

struct Pair {
  float multiplier = 1;
  float inverse = 1;
};

inline Pair float_scale(float amax, float largest, bool is_power_of_two) {
  if (amax == 0 || std::isinf(amax)) return {};
  float multiplier = std::min(largest / amax, std::numeric_limits<float>::max());
  if (is_power_of_two) multiplier = std::ldexp(1.0F, std::ilogb(multiplier));
  return {multiplier, 1.0F / multiplier};
}

/// Returns a scale of type E8M0 as `inverse`: the smallest power of two that is at least amax / largest, clamped to the
/// range of E8M0. `multiplier` is 1 / scale, but 1 for the smallest scale.
inline Pair e8m0_scale(float amax, bool has_nan, float largest) {
  if (has_nan) return {kQuietNaN, kQuietNaN};
  const float quotient = amax / largest;
  int exponent = std::isinf(quotient) ? 127 : -127;
  if (std::isfinite(quotient) && quotient > 0) {
    int above = 0;
    const float fraction = std::frexp(quotient, &above);  // in [0.5, 1)
    exponent = std::max(-127, fraction == 0.5F ? above - 1 : above);
  }
  return {exponent == -127 ? 1.0F : std::ldexp(1.0F, -exponent), std::ldexp(1.0F, exponent)};
}

inline float scale_above_e4m3(float amax, float largest) {
  if (amax == 0 || std::isinf(amax)) return 1;
  return std::max(amax / (448.0F * largest), 0x1p-120F);
}

inline Pair e4m3_scale(float amax, bool has_nan, float largest, float above) {
  if (has_nan) return {kQuietNaN, kQuietNaN};
  const float wanted = std::max(amax / largest / above, 0x1p-6F);
  const auto scale =
      static_cast<float>(nearest(static_cast<double>(wanted), error::format_of(error::WhatIfType::Float8E4M3)));
  return {1.0F / above / scale, scale * above};
}

/// Multiplies 16 values by Sylvester's H₁₆ / 4: sums and differences of values that are 1, 2, 4 and 8 apart.
inline void transform(std::array<float, 16>& tile) {
  for (std::size_t apart = 1; apart < 16; apart *= 2) {
    for (std::size_t i = 0; i < 16; ++i) {
      if ((i & apart) != 0) continue;
      const float a = tile[i];
      const float b = tile[i + apart];
      tile[i] = a + b;
      tile[i + apart] = a - b;
    }
  }
  for (float& value : tile) value *= 0.25F;
}

inline void transform(Values& values, Direction direction, std::uint16_t signs, bool is_inverse) {
  const bool is_rowwise = direction == Direction::Rowwise;
  const std::int64_t length = is_rowwise ? values.columns : values.rows;
  const std::int64_t count = is_rowwise ? values.rows : values.columns;
  for (std::int64_t line = 0; line < count; ++line) {
    for (std::int64_t begin = 0; begin + 16 <= length; begin += 16) {
      std::array<float, 16> tile{};
      const auto element = [&](std::size_t i) -> float& {
        const std::int64_t place = begin + static_cast<std::int64_t>(i);
        return is_rowwise ? values.at(line, place) : values.at(place, line);
      };
      const auto sign = [&](std::size_t i) { return (signs >> i & 1) != 0 ? -1.0F : 1.0F; };
      for (std::size_t i = 0; i < 16; ++i) tile[i] = is_inverse ? element(i) : element(i) * sign(i);
      transform(tile);
      for (std::size_t i = 0; i < 16; ++i) element(i) = is_inverse ? tile[i] * sign(i) : tile[i];
    }
  }
}

struct Quantized {
  Values values;
  OperandRounding statistics = {};
};

/// Rounds one block of a matrix, or the whole matrix if its scale has no blocks.
class Quantizer {
 public:
  Quantizer(Values values, const Operand& operand, Direction direction, const Settings& settings)
      : before_(std::move(values)), after_(before_), operand_(operand), settings_(settings) {
    const bool has_block = recipes::info_of(operand.scale).has_block;
    const bool is_rowwise = direction == Direction::Rowwise;
    height_ = !has_block ? before_.rows : is_rowwise ? operand.block.across : operand.block.along;
    width_ = !has_block ? before_.columns : is_rowwise ? operand.block.along : operand.block.across;
    float measured = 0;
    for (const float value : before_.data) {
      if (std::abs(value) > measured) measured = std::abs(value);
    }
    const float fallback = operand.scale == Scale::TensorDelayed ? 0 : measured;
    amax_ = settings.amax.value_or(fallback);
  }

  Quantized run() {
    for (std::int64_t row = 0; row < before_.rows; row += height_) {
      for (std::int64_t column = 0; column < before_.columns; column += width_) block(row, column);
    }
    return {after_, statistics_};
  }

 private:
  template <typename Work>
  void each(std::int64_t row, std::int64_t column, Work work) const {
    for (std::int64_t r = row; r < std::min(row + height_, before_.rows); ++r) {
      for (std::int64_t c = column; c < std::min(column + width_, before_.columns); ++c) work(r, c);
    }
  }

  Pair scale_of(float amax, bool has_nan) const {
    const auto largest = static_cast<float>(recipes::format_of(operand_.element).largest);
    switch (operand_.scale) {
      case Scale::None:
        return {};
      case Scale::Tensor:
      case Scale::TensorDelayed:
        return float_scale(amax_, largest, false);
      case Scale::BlockFloat:
        return float_scale(amax, largest, false);
      case Scale::BlockPowerOfTwo:
        return float_scale(amax, largest, true);
      case Scale::BlockE8M0:
        return e8m0_scale(amax, has_nan, largest);
      case Scale::BlockE4M3:
        return e4m3_scale(amax, has_nan, largest, scale_above_e4m3(amax_, largest));
    }
    return {};
  }

  void block(std::int64_t row, std::int64_t column) {
    float amax = 0;
    bool has_nan = false;
    each(row, column, [&](std::int64_t r, std::int64_t c) {
      const float magnitude = std::abs(before_.at(r, c));
      has_nan = has_nan || std::isnan(magnitude);
      if (magnitude > amax) amax = magnitude;
    });
    const Pair scale = scale_of(amax, has_nan);
    each(row, column, [&](std::int64_t r, std::int64_t c) {
      const float value = before_.at(r, c);
      const float scaled = std::abs(value) * scale.multiplier;
      const float result = std::copysign(rounded(scaled, r, c) * scale.inverse, value);
      after_.at(r, c) = result;
      add(value, scaled, result);
    });
  }

  float rounded(float scaled, std::int64_t row, std::int64_t column) const {
    const error::NumberFormat& format = recipes::format_of(operand_.element);
    const auto magnitude = static_cast<double>(scaled);
    if (!recipes::needs_scale(operand_.element) && magnitude >= format.overflow) return kInf;
    if (operand_.rounding == recipes::Rounding::NearestEven) return static_cast<float>(nearest(magnitude, format));
    const std::int64_t element = (settings_.first_row + row) * before_.columns + column;
    return static_cast<float>(stochastic(magnitude, uniform_of(element, settings_.random), format));
  }

  void add(float value, float scaled, float result) {
    const auto magnitude = static_cast<double>(std::abs(value));
    ++statistics_.count;
    if (magnitude > statistics_.amax) statistics_.amax = magnitude;
    statistics_.flushed += value != 0 && result == 0;
    const double overflow = recipes::format_of(operand_.element).overflow;
    statistics_.saturated += recipes::needs_scale(operand_.element) && static_cast<double>(scaled) >= overflow;
    if (!std::isfinite(value) || !std::isfinite(result)) {
      ++statistics_.nonfinite;
      return;
    }
    const double error = static_cast<double>(result) - static_cast<double>(value);
    statistics_.sum_sq += magnitude * magnitude;
    statistics_.sum_sq_error += error * error;
  }

  Values before_, after_;
  Operand operand_;
  Settings settings_;
  std::int64_t height_, width_;
  float amax_;
  OperandRounding statistics_;
};

inline Quantized quantize(Values values, const Operand& operand, Direction direction, const Settings& settings = {}) {
  const bool is_transformed = operand.transform != recipes::Transform::None;
  if (is_transformed) transform(values, direction, settings.hadamard_signs, false);
  Quantized quantized = Quantizer(std::move(values), operand, direction, settings).run();
  if (is_transformed) transform(quantized.values, direction, settings.hadamard_signs, true);
  return quantized;
}

}  // namespace ampprof::quantize::plain

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "precision/formats/types/everywhere.h"
#include "precision/formats/types/number_format.h"

/// Rounds values that a scale has brought into the range of a type of 8 bits or fewer. Branch-free, so that loops are
/// vectorized. CPU and GPU share the code.
namespace ampprof::quantize {

constexpr std::uint32_t kMagnitude = 0x7fffffffU;
constexpr std::uint32_t kInfinity = 0x7f800000U;
constexpr int kMantissaBits = 23;

AMPPROF_EVERYWHERE constexpr float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
AMPPROF_EVERYWHERE constexpr std::uint32_t bits_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }

/// Properties of a type of at most 8 bits that rounding needs.
struct ElementRange {
  float largest = 0;
  float overflow = 0;          ///< the smallest magnitude that does not round to a finite value
  std::uint32_t smallest = 0;  ///< bits of the smallest normal value, a power of two
  std::uint32_t mantissa = 0;  ///< number of stored mantissa bits, shifted to the exponent bits of a float
};

AMPPROF_EVERYWHERE constexpr ElementRange range_of(const error::NumberFormat& format) {
  const auto overflow = static_cast<float>(format.overflow);
  const bool is_too_small = static_cast<double>(overflow) < format.overflow;
  return {static_cast<float>(format.largest), float_of(bits_of(overflow) + (is_too_small ? 1 : 0)),
          static_cast<std::uint32_t>(127 + format.min_exponent) << kMantissaBits,
          static_cast<std::uint32_t>(format.mantissa_bits) << kMantissaBits};
}

/// Limits a magnitude to the largest value of the type. NaN stays.
AMPPROF_EVERYWHERE constexpr float saturated(float magnitude, const ElementRange& range) {
  return range.largest < magnitude ? range.largest : magnitude;
}

/// Returns the exponent of a magnitude, shifted to the exponent bits of a float; at least that of the smallest normal
/// value.
AMPPROF_EVERYWHERE constexpr std::uint32_t exponent_of(float magnitude, const ElementRange& range) {
  const std::uint32_t exponent = bits_of(magnitude) & kInfinity;
  // Compares signed numbers, since SSE2 has no unsigned comparison.
  return static_cast<std::int32_t>(exponent) < static_cast<std::int32_t>(range.smallest) ? range.smallest : exponent;
}

/// Rounds a saturated magnitude to nearest, ties to even. Adds a value at which the spacing of float equals the spacing
/// of the type at the magnitude, so that the addition rounds. NaN stays.
AMPPROF_EVERYWHERE constexpr float nearest(float magnitude, const ElementRange& range) {
  constexpr std::uint32_t kMantissa = static_cast<std::uint32_t>(kMantissaBits) << kMantissaBits;
  const float raised = float_of(exponent_of(magnitude, range) + kMantissa - range.mantissa);
  return (magnitude + raised) - raised;
}

/// Rounds a saturated magnitude up if (`random` + 1/2) / 2^16 is less than the distance of the magnitude from its lower
/// neighbour, in units of the spacing; else down. The mean is exact within 2^-17 spacings, and values of the type stay
/// unchanged. Computed exactly, since all intermediate results are floats. NaN stays.
AMPPROF_EVERYWHERE constexpr float stochastic(float magnitude, std::uint16_t random, const ElementRange& range) {
  constexpr std::uint32_t kOne = 254U << kMantissaBits;  // sum of the exponent fields of a power of two and its inverse
  const std::uint32_t spacing = exponent_of(magnitude, range) - range.mantissa;
  const float spacings = magnitude * float_of(kOne - spacing);
  const float rounded = (spacings + 0x1p23F) - 0x1p23F;
  const float lower = rounded > spacings ? rounded - 1.0F : rounded;
  const float uniform = static_cast<float>(2 * std::int32_t{random} + 1) * 0x1p-17F;
  return (uniform < spacings - lower ? lower + 1.0F : lower) * float_of(spacing);
}

}  // namespace ampprof::quantize

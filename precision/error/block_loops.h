// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "precision/error/kernels.h"

/// The inner loops for any pair of types. They are free of branches and look at bit patterns, so that GCC vectorizes
/// them and so that NaN and inf are told apart under the floating point flags of this file's users. Included by
/// kernels_cpu.cpp only.
namespace ampprof::cpu::loops {

template <typename T>
using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

template <typename T>
constexpr Bits<T> bits(T value) {
  return std::bit_cast<Bits<T>>(value);
}

template <typename T>
constexpr Bits<T> kMagnitude = std::numeric_limits<Bits<T>>::max();  // all bits but the sign

template <typename T>
constexpr Bits<T> kInfinity = sizeof(T) == 4 ? Bits<T>(0x7f800000) : Bits<T>(0x7ff0000000000000);

// Magnitudes are compared as integers: for what has no sign bit, the order is that of the values.
template <typename T>
struct OutputRange {
  Bits<T> nonfinite = 0;
  Bits<T> amax = 0;
  Bits<T> smallest_less_one = kMagnitude<T>;  // zero wraps to the largest, so it never wins
};

template <typename T>
[[gnu::always_inline]] inline OutputRange<T> output_range(const T* values, std::size_t size) {
  OutputRange<T> range;
  for (std::size_t i = 0; i < size; ++i) {
    const Bits<T> magnitude = bits(values[i]) & kMagnitude<T>;
    const Bits<T> is_finite = -Bits<T>(magnitude < kInfinity<T>);
    const Bits<T> less_one = (magnitude - 1) & kMagnitude<T>;
    const Bits<T> finite = magnitude & is_finite;
    range.nonfinite += 1 + is_finite;
    range.amax = finite > range.amax ? finite : range.amax;
    range.smallest_less_one = less_one < range.smallest_less_one ? less_one : range.smallest_less_one;
  }
  return range;
}

template <typename T>
[[gnu::always_inline]] inline std::int64_t count_minus_infinite(const T* values, std::size_t size) {
  constexpr Bits<T> kMinusInfinity = std::numeric_limits<Bits<T>>::min() | kInfinity<T>;
  Bits<T> count = 0;
  for (std::size_t i = 0; i < size; ++i) count += Bits<T>(bits(values[i]) == kMinusInfinity);
  return count;
}

template <typename T>
[[gnu::always_inline]] inline Bits<T> largest_finite(const T* values, std::size_t size) {
  Bits<T> largest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const Bits<T> magnitude = bits(values[i]) & kMagnitude<T>;
    const Bits<T> finite = magnitude & -Bits<T>(magnitude < kInfinity<T>);
    largest = finite > largest ? finite : largest;
  }
  return largest;
}

/// How many magnitudes have bits from `lowest` to `highest`.
template <typename T>
[[gnu::always_inline]] inline std::int64_t count_between(const T* values, std::size_t size, Bits<T> lowest,
                                                         Bits<T> highest) {
  Bits<T> count = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const Bits<T> magnitude = bits(values[i]) & kMagnitude<T>;
    count += Bits<T>(magnitude >= lowest) & Bits<T>(magnitude <= highest);
  }
  return count;
}

/// The exponent field that each value has, or would have, in FP32: 0 for zeros and what is below FP32's normal range,
/// 254 for what is above it, 255 for NaN and inf.
template <typename T>
[[gnu::always_inline]] inline void exponent_keys(const T* values, std::size_t size, std::uint8_t* keys) {
  constexpr int kMantissaBits = sizeof(T) == 4 ? 23 : 52;
  constexpr Bits<T> kBias = sizeof(T) == 4 ? 0 : 1023 - 127;
  for (std::size_t i = 0; i < size; ++i) {
    const Bits<T> magnitude = bits(values[i]) & kMagnitude<T>;
    const Bits<T> field = (magnitude >> kMantissaBits) - kBias;
    const Bits<T> raised = field > 0 ? field : 0;
    const Bits<T> finite = raised < 254 ? raised : 254;
    keys[i] = static_cast<std::uint8_t>(finite | -Bits<T>(magnitude >= kInfinity<T>));
  }
}

/// Pairs of finite values with y == 0 but r != 0.
[[gnu::always_inline]] inline std::int64_t count_flushed(const float* output, const float* reference,
                                                         std::size_t size) {
  std::int32_t flushed = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const bool output_is_zero = (bits(output[i]) & kMagnitude<float>) == 0;
    const bool reference_is_zero = (bits(reference[i]) & kMagnitude<float>) == 0;
    flushed += std::int32_t(output_is_zero) & std::int32_t(!reference_is_zero);
  }
  return flushed;
}

struct ErrorSums {
  std::int64_t excluded = 0;
  std::int64_t flushed = 0;
  std::int64_t max_abs = 0;  // bits of a double, for the reason above
  std::int64_t max_ulp = 0;
  double sum_ulp = 0.0;
  double sum_sq_error = 0.0;
  double sum_sq_reference = 0.0;
  double sum_sq_output = 0.0;
  double sum_product = 0.0;
};

template <typename Y, typename R>
[[gnu::always_inline]] inline ErrorSums error_sums(const Y* output, const R* reference, std::size_t size,
                                                   Spacing spacing) {
  constexpr std::int64_t kMag = kMagnitude<double>;
  constexpr std::int64_t kInf = kInfinity<double>;
  const std::int64_t lowest_field = 1023 + spacing.min_exponent;
  const std::int64_t inverse_field = 2046 + spacing.mantissa_bits;
  ErrorSums sums;
  for (std::size_t i = 0; i < size; ++i) {
    const std::int64_t y_bits = bits(static_cast<double>(output[i]));
    const std::int64_t r_bits = bits(static_cast<double>(reference[i]));
    const std::int64_t keep = -(std::int64_t((y_bits & kMag) < kInf) & std::int64_t((r_bits & kMag) < kInf));
    const std::int64_t y_kept = y_bits & keep;
    const std::int64_t r_kept = r_bits & keep;
    const double y = std::bit_cast<double>(y_kept);
    const double r = std::bit_cast<double>(r_kept);
    const double error = y - r;
    const std::int64_t magnitude = bits(error) & kMag;
    const std::int64_t field = (r_kept & kMag) >> 52;
    const std::int64_t exponent = field > lowest_field ? field : lowest_field;
    const double ulps = std::bit_cast<double>(magnitude) * std::bit_cast<double>((inverse_field - exponent) << 52);
    sums.excluded += 1 + keep;
    sums.flushed += std::int64_t((y_kept & kMag) == 0) & std::int64_t((r_kept & kMag) != 0);
    sums.max_abs = magnitude > sums.max_abs ? magnitude : sums.max_abs;
    sums.max_ulp = bits(ulps) > sums.max_ulp ? bits(ulps) : sums.max_ulp;
    sums.sum_ulp += ulps;
    sums.sum_sq_error += error * error;
    sums.sum_sq_reference += r * r;
    sums.sum_sq_output += y * y;
    sums.sum_product += y * r;
  }
  return sums;
}

}  // namespace ampprof::cpu::loops

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "precision/error/kernels.h"

/// Inner loops for any pair of types. They have no branches and work on bit patterns, so that GCC vectorizes them. Bit
/// patterns also reveal NaN and inf; comparisons of floats are not reliable under the compiler options of
/// kernels_cpu.cpp. Included only by kernels_cpu.cpp.
namespace ampprof::error::cpu::loops {

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

// Magnitudes are compared as integers: without the sign bit, their order is that of the values.
template <typename T>
struct OutputRange {
  Bits<T> nonfinite = 0;
  Bits<T> amax = 0;
  Bits<T> smallest_less_one = kMagnitude<T>;  // zero wraps to the largest value, so it never counts as smallest
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

/// Returns whether all bit patterns, without their signs, are below the bit pattern of infinity.
template <typename Pattern>
[[gnu::always_inline]] inline bool are_below(const Pattern* patterns, std::size_t size, Pattern infinity) {
  constexpr Pattern kNoSign = std::numeric_limits<Pattern>::max();
  Pattern largest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const auto magnitude = static_cast<Pattern>(patterns[i] & kNoSign);
    largest = magnitude > largest ? magnitude : largest;
  }
  return largest < infinity;
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

/// Counts the magnitudes with bits from `lowest` to `highest`.
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

/// Writes the exponent field that each value has in FP32: 0 for zeros and values below FP32's normal range, 254 for
/// values above it, 255 for NaN and inf.
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

/// Counts pairs of finite values with y == 0 but r != 0.
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
  std::int64_t infinite = 0;
  std::int64_t flushed = 0;
  std::int64_t max_abs = 0;  // bits of a double, compared as integers
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
    const std::int64_t y_is_finite = (y_bits & kMag) < kInf;
    const std::int64_t r_is_finite = (r_bits & kMag) < kInf;
    const std::int64_t keep = -(y_is_finite & r_is_finite);
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
    sums.infinite += r_is_finite & ~y_is_finite;
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

inline ErrorStats errors_of(const ErrorSums& sums, std::size_t size) {
  ErrorStats errors;
  errors.count = static_cast<std::int64_t>(size) - sums.excluded;
  errors.excluded = sums.excluded;
  errors.infinite = sums.infinite;
  errors.flushed = sums.flushed;
  const bool is_infinite = sums.infinite > 0;
  errors.max_abs = std::bit_cast<double>(is_infinite ? kInfinity<double> : sums.max_abs);
  errors.max_ulp = std::bit_cast<double>(is_infinite ? kInfinity<double> : sums.max_ulp);
  errors.sum_ulp = sums.sum_ulp;
  errors.sum_sq_error = sums.sum_sq_error;
  errors.sum_sq_reference = sums.sum_sq_reference;
  errors.sum_sq_output = sums.sum_sq_output;
  errors.sum_product = sums.sum_product;
  return errors;
}

// The loop for float against float, which is the most frequent pair: one pass, in float, without masks for rare cases.
// can_be_trusted() tells afterwards whether the result is valid.

template <int Width>
struct Vector {
  using Float [[gnu::vector_size(Width)]] = float;
  using HalfOfFloat [[gnu::vector_size(Width / 2)]] = float;
  using Double [[gnu::vector_size(Width)]] = double;
  using Int [[gnu::vector_size(Width)]] = std::int32_t;
  using Unsigned [[gnu::vector_size(Width)]] = std::uint32_t;
  using Byte [[gnu::vector_size(Width)]] = std::uint8_t;
  using QuarterOfByte [[gnu::vector_size(Width / 4)]] = std::uint8_t;
};

template <typename V, typename T>
[[gnu::always_inline]] inline V load(const T* from) {
  V vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

template <typename V>
[[gnu::always_inline]] inline void keep_larger(V& largest, V other) {
  largest = other > largest ? other : largest;
}

template <typename V>
[[gnu::always_inline]] inline void keep_smaller(V& smallest, V other) {
  smallest = other < smallest ? other : smallest;
}

template <typename V, typename T, typename Join>
[[gnu::always_inline]] inline T joined(const V& lanes, T first, Join join) {
  for (std::size_t i = 0; i < sizeof(V) / sizeof(lanes[0]); ++i) first = join(first, static_cast<T>(lanes[i]));
  return first;
}

/// A sum that adds a few floats in float and moves them to double before the error grows.
template <int Width>
struct Sum {
  using V = Vector<Width>;
  typename V::Float short_sum{};
  typename V::Double total{};

  [[gnu::always_inline]] void flush() {
    const auto* halves = reinterpret_cast<const float*>(&short_sum);
    const auto low = load<typename V::HalfOfFloat>(halves);
    const auto high = load<typename V::HalfOfFloat>(halves + Width / 8);
    total += __builtin_convertvector(low, typename V::Double) + __builtin_convertvector(high, typename V::Double);
    short_sum = typename V::Float{};
  }

  [[gnu::always_inline]] double value() const {
    return joined(total, 0.0, [](double a, double b) { return a + b; });
  }
};

constexpr std::size_t kShortSum = 256;  ///< elements between two calls of flush(): 16 additions per lane with AVX-512

template <int Width>
struct FloatState {
  using V = Vector<Width>;
  using Int = typename V::Int;
  Int output_max{}, output_min = Int{} + kMagnitude<float>, reference_max{}, error_max{}, ulp_max{};
  typename V::Unsigned smallest_less_one = typename V::Unsigned{} - 1;
  Sum<Width> error, reference, output, product, ulp;

  [[gnu::always_inline]] void flush() {
    error.flush();
    reference.flush();
    output.flush();
    product.flush();
    ulp.flush();
  }
};

struct FloatBlock {
  OutputRange<float> output;
  Bits<float> output_min = 0;
  Bits<float> reference_amax = 0;
  ErrorSums errors;
};

/// Errors in ulp are counted in units of 2^ulp_unit(spacing), so that the factor 1 / ulp is a normal float.
constexpr int ulp_unit(Spacing spacing) { return std::max(0, spacing.mantissa_bits - spacing.min_exponent - 127); }

template <int Width>
[[gnu::always_inline]] inline FloatBlock folded(const FloatState<Width>& state, Spacing spacing) {
  const auto largest = [](auto a, auto b) { return b > a ? b : a; };
  const auto smallest = [](auto a, auto b) { return b < a ? b : a; };
  const auto value = [](Bits<float> magnitude) { return static_cast<double>(std::bit_cast<float>(magnitude)); };
  const double unit = std::bit_cast<double>(static_cast<std::int64_t>(1023 + ulp_unit(spacing)) << 52);
  FloatBlock block;
  block.output.amax = joined(state.output_max, 0, largest);
  block.output_min = joined(state.output_min, kMagnitude<float>, smallest);
  // For a zero, smallest_less_one has wrapped to the largest unsigned value, so that a zero is never the smallest.
  block.output.smallest_less_one = static_cast<Bits<float>>(
      joined(state.smallest_less_one, ~std::uint32_t{0}, smallest) & std::uint32_t{kMagnitude<float>});
  block.reference_amax = joined(state.reference_max, 0, largest);
  block.errors.max_abs = bits(value(joined(state.error_max, 0, largest)));
  block.errors.max_ulp = bits(value(joined(state.ulp_max, 0, largest)) * unit);
  block.errors.sum_ulp = state.ulp.value() * unit;
  block.errors.sum_sq_error = state.error.value();
  block.errors.sum_sq_reference = state.reference.value();
  block.errors.sum_sq_output = state.output.value();
  block.errors.sum_product = state.product.value();
  return block;
}

/// Returns true if nothing was NaN or inf and no square left the range of float. Each sum is then within 1e-6 of the
/// exact sum, including the loss due to underflow.
inline bool can_be_trusted(const FloatBlock& block, Spacing spacing) {
  const auto fits = [](double sum, double largest, double limit) {
    return sum == 0 ? largest == 0 : sum > 0x1p-90 && largest < limit;
  };
  const auto value = [](std::int64_t magnitude) { return std::bit_cast<double>(magnitude); };
  if (block.output.amax >= kInfinity<float> || block.reference_amax >= kInfinity<float>) return false;
  const double unit = value(static_cast<std::int64_t>(1023 + ulp_unit(spacing)) << 52);
  const ErrorSums& errors = block.errors;
  return fits(errors.sum_sq_output, std::bit_cast<float>(block.output.amax), 0x1p60) &&
         fits(errors.sum_sq_reference, std::bit_cast<float>(block.reference_amax), 0x1p60) &&
         fits(errors.sum_sq_error, value(errors.max_abs), 0x1p61) &&
         fits(errors.sum_ulp / unit, value(errors.max_ulp) / unit, 0x1p100);
}

/// Compares `size` elements, a multiple of kShortSum, for a type whose exponent range is at most that of FP32. Writes
/// the exponent keys of the reference. Leaves `flushed` to the caller, who needs to count it only if output_min is 0.
template <int Width>
[[gnu::always_inline]] inline FloatBlock compare_floats(const float* output, const float* reference, std::size_t size,
                                                        Spacing spacing, std::uint8_t* keys) {
  using V = Vector<Width>;
  using Int = typename V::Int;
  constexpr std::size_t kLanes = Width / sizeof(float);
  constexpr std::size_t kAhead = 512;  // elements to prefetch; hardware prefetching stops at page boundaries
  const Int lowest_field = Int{} + (127 + spacing.min_exponent);
  const Int inverse_field = Int{} + (254 + spacing.mantissa_bits - ulp_unit(spacing));
  FloatState<Width> state;
  for (std::size_t start = 0; start < size; start += kShortSum) {
    for (std::size_t i = start; i < start + kShortSum; i += kLanes) {
      __builtin_prefetch(output + i + kAhead);
      __builtin_prefetch(reference + i + kAhead);
      const auto y = load<typename V::Float>(output + i);
      const auto r = load<typename V::Float>(reference + i);
      const Int y_magnitude = (Int)y & kMagnitude<float>;
      const Int r_magnitude = (Int)r & kMagnitude<float>;
      keep_larger(state.output_max, y_magnitude);
      keep_smaller(state.output_min, y_magnitude);
      keep_smaller(state.smallest_less_one, (typename V::Unsigned)(y_magnitude - 1));
      keep_larger(state.reference_max, r_magnitude);
      const auto error = y - r;
      const Int magnitude = (Int)error & kMagnitude<float>;
      keep_larger(state.error_max, magnitude);
      state.error.short_sum += error * error;
      state.reference.short_sum += r * r;
      state.output.short_sum += y * y;
      state.product.short_sum += y * r;
      const Int field = r_magnitude >> 23;
      const Int raised = field > lowest_field ? field : lowest_field;
      const auto ulps = (typename V::Float)magnitude * (typename V::Float)((inverse_field - raised) << 23);
      state.ulp.short_sum += ulps;
      keep_larger(state.ulp_max, (Int)ulps);
      const auto key = __builtin_convertvector(field, typename V::QuarterOfByte);
      std::memcpy(keys + i, &key, sizeof key);
    }
    state.flush();
  }
  return folded(state, spacing);
}

}  // namespace ampprof::error::cpu::loops

// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/types/round_cpu.h"

#include <bit>
#include <limits>
#include <type_traits>

#include "precision/formats/types/dispatch.h"

namespace ampprof::error::cpu {
namespace {

template <typename T>
using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

template <typename T>
constexpr T power_of_two(int exponent) {
  constexpr int kMantissaBits = std::numeric_limits<T>::digits - 1;
  return std::bit_cast<T>(static_cast<Bits<T>>(exponent + std::numeric_limits<T>::max_exponent - 1) << kMantissaBits);
}

/// Constants of rounding to one format, as bits: as integers, magnitudes have the order of the values.
template <typename T>
struct Rounding {
  int dropped;      ///< number of mantissa bits of T that the format lacks
  Bits<T> normal;   ///< smallest normal value of the format
  T subnormal_ulp;  ///< a value whose ulp in T is the spacing of subnormal values of the format
  Bits<T> overflow;
  Bits<T> too_large;  ///< replaces values that overflow
};

template <typename T>
Rounding<T> rounding_to(const NumberFormat& format) {
  constexpr int kMantissaBits = std::numeric_limits<T>::digits - 1;
  constexpr int kMinExponent = std::numeric_limits<T>::min_exponent - 1;
  const bool has_subnormals_of_its_own = format.min_exponent > kMinExponent;
  const T limit = static_cast<T>(format.overflow);
  return {kMantissaBits - format.mantissa_bits,
          has_subnormals_of_its_own ? std::bit_cast<Bits<T>>(power_of_two<T>(format.min_exponent)) : 0,
          power_of_two<T>(has_subnormals_of_its_own ? format.min_exponent - format.mantissa_bits + kMantissaBits : 0),
          // If the format's limit is not a value of T, the next larger value of T is the first beyond it.
          std::bit_cast<Bits<T>>(limit) + Bits<T>(static_cast<double>(limit) < format.overflow),
          std::bit_cast<Bits<T>>(format.has_infinity ? std::numeric_limits<T>::infinity()
                                                     : std::numeric_limits<T>::quiet_NaN())};
}

/// Rounds to nearest, ties to even. Computes all cases and selects one by masks, so that the loop is vectorized.
template <int Width>
struct Round {
  template <typename T>
  [[gnu::always_inline]] static void of(const T* from, std::size_t size, T* to, Rounding<T> rounding) {
    constexpr Bits<T> kMagnitude = std::numeric_limits<Bits<T>>::max();
    constexpr auto kInfinity = std::bit_cast<Bits<T>>(std::numeric_limits<T>::infinity());
    const Bits<T> just_below_half = (Bits<T>{1} << (rounding.dropped - 1)) - 1;
    const Bits<T> kept_bits = -(Bits<T>{1} << rounding.dropped);
    for (std::size_t i = 0; i < size; ++i) {
      const auto value = std::bit_cast<Bits<T>>(from[i]);
      const Bits<T> magnitude = value & kMagnitude;
      const Bits<T> is_odd = magnitude >> rounding.dropped & 1;
      const Bits<T> normal = (magnitude + just_below_half + is_odd) & kept_bits;
      const T lifted = std::bit_cast<T>(magnitude) + rounding.subnormal_ulp;  // the addition rounds
      const auto subnormal = std::bit_cast<Bits<T>>(lifted - rounding.subnormal_ulp);
      const Bits<T> is_subnormal = -Bits<T>(magnitude < rounding.normal);
      const Bits<T> is_too_large = -Bits<T>(magnitude >= rounding.overflow);
      const Bits<T> is_nan = -Bits<T>(magnitude > kInfinity);
      const Bits<T> in_range = (subnormal & is_subnormal) | (normal & ~is_subnormal);
      const Bits<T> number = (rounding.too_large & is_too_large) | (in_range & ~is_too_large);
      const Bits<T> rounded = (magnitude & is_nan) | (number & ~is_nan);
      to[i] = std::bit_cast<T>(rounded | (value & ~kMagnitude));
    }
  }
};

template <typename T>
void round_values(std::span<const T> from, T* to, WhatIfType type, InstructionSet instructions) {
  loop_for<Round, const T*, std::size_t, T*, Rounding<T>>(instructions)
      .run(from.data(), from.size(), to, rounding_to<T>(format_of(type)));
}

}  // namespace

void round_to(std::span<const float> from, float* to, WhatIfType type, InstructionSet instructions) {
  round_values(from, to, type, instructions);
}

void round_to(std::span<const double> from, double* to, WhatIfType type, InstructionSet instructions) {
  round_values(from, to, type, instructions);
}

}  // namespace ampprof::error::cpu

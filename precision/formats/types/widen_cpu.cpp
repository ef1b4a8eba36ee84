// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "precision/formats/types/widen.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ampprof::error::cpu {
namespace {

// For normal values the exponent is shifted. Subnormal values are a small integer times the smallest subnormal. The
// code computes both and selects one with a mask. That avoids branches, and subnormal floats, which the processor may
// treat as zero.
float widened(std::uint16_t half) {
  const std::uint32_t magnitude = half & 0x7fffU;
  const std::uint32_t is_subnormal = -std::uint32_t(magnitude < 0x400U);
  const std::uint32_t is_special = -std::uint32_t(magnitude >= 0x7c00U);
  const std::uint32_t normal = (magnitude << 13) + (112U << 23) + (is_special & (112U << 23));
  const auto subnormal =
      std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24F);
  const std::uint32_t value = (subnormal & is_subnormal) | (normal & ~is_subnormal);
  return std::bit_cast<float>(value | (std::uint32_t{half} & 0x8000U) << 16);
}

void widen_each(std::span<const std::uint16_t> from, float* to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = widened(from[i]);
}

#if defined(__x86_64__)
[[gnu::target("avx,f16c")]] void widen_f16c(std::span<const std::uint16_t> from, float* to) {
  const std::size_t whole = from.size() / 8 * 8;
  for (std::size_t i = 0; i < whole; i += 8) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from.data() + i));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(halves));
  }
  widen_each(from.subspan(whole), to + whole);
}
#endif

// Indexed by the byte: 256 floats fit into the L1 cache.
using Float8Values = std::array<float, 256>;

// E4M3 has no inf: the largest exponent also has finite values, and only mantissa 7 is NaN.
float e4m3_value(unsigned byte) {
  const int exponent = static_cast<int>(byte >> 3 & 15);
  const int mantissa = static_cast<int>(byte & 7);
  if (exponent == 15 && mantissa == 7) return std::numeric_limits<float>::quiet_NaN();
  const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -9)
                                        : std::ldexp(static_cast<float>(mantissa + 8), exponent - 10);
  return (byte & 0x80) != 0 ? -magnitude : magnitude;
}

void look_up(std::span<const std::uint8_t> from, const Float8Values& values, float* to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = values[from[i]];
}

}  // namespace

void widen_float8_e4m3(std::span<const std::uint8_t> from, float* to) {
  static const Float8Values values = [] {
    Float8Values made;
    for (unsigned byte = 0; byte < made.size(); ++byte) made[byte] = e4m3_value(byte);
    return made;
  }();
  look_up(from, values, to);
}

void widen_float8_e5m2(std::span<const std::uint8_t> from, float* to) {
  static const Float8Values values = [] {
    Float8Values made;
    for (unsigned byte = 0; byte < made.size(); ++byte) made[byte] = widened(static_cast<std::uint16_t>(byte << 8));
    return made;
  }();
  look_up(from, values, to);
}

void widen_half(std::span<const std::uint16_t> from, float* to) {
#if defined(__x86_64__)
  // __builtin_cpu_supports("f16c") does not compile with Clang 14. Every processor with AVX2 has F16C.
  static const bool has_f16c = __builtin_cpu_supports("avx2");
  if (has_f16c) return widen_f16c(from, to);
#endif
  widen_each(from, to);
}

void widen_bfloat16(std::span<const std::uint16_t> from, float* to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::bit_cast<float>(std::uint32_t{from[i]} << 16);
}

const float* as_floats(const Elements& part, float* wide) {
  const auto bytes = std::span(static_cast<const std::uint8_t*>(part.data), part.size);
  switch (part.dtype) {
    case DType::Half:
      widen_half({static_cast<const std::uint16_t*>(part.data), part.size}, wide);
      return wide;
    case DType::BFloat16:
      widen_bfloat16({static_cast<const std::uint16_t*>(part.data), part.size}, wide);
      return wide;
    case DType::Float8E4M3:
      widen_float8_e4m3(bytes, wide);
      return wide;
    case DType::Float8E5M2:
      widen_float8_e5m2(bytes, wide);
      return wide;
    default:
      return static_cast<const float*>(part.data);
  }
}

}  // namespace ampprof::error::cpu

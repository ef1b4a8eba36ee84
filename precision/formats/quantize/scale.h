// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/formats/quantize/element_rounding.h"
#include "precision/formats/recipes/operand.h"

/// Computes scales from largest magnitudes. Branch-free, like element_rounding.h.
namespace ampprof::quantize {

/// Factors for values before and after rounding.
struct ScalePair {
  float multiplier = 1;
  float inverse = 1;
};

constexpr float kLargestFloat = 0x1.fffffep127F;
constexpr std::uint32_t kNaN = 0x7fc00000U;

AMPPROF_EVERYWHERE constexpr bool is_nan(float value) { return (bits_of(value) & kMagnitude) > kInfinity; }

/// Returns largest / amax; 1 if amax is 0, inf or NaN; the largest float if the quotient is inf. Transformer Engine's
/// compute_scale_from_amax() does the same.
AMPPROF_EVERYWHERE constexpr ScalePair float_scale(float amax, float largest) {
  const float quotient = largest / amax;
  const float finite = quotient > kLargestFloat ? kLargestFloat : quotient;
  const bool has_none = bits_of(amax) == 0 || bits_of(amax) >= kInfinity;
  const float multiplier = has_none ? 1.0F : finite;
  return {multiplier, 1.0F / multiplier};
}

/// Returns float_scale() rounded down to a power of two, whose inverse is exact.
AMPPROF_EVERYWHERE constexpr ScalePair power_of_two_scale(float amax, float largest) {
  const float multiplier = float_of(bits_of(float_scale(amax, largest).multiplier) & kInfinity);
  return {multiplier, 1.0F / multiplier};
}

/// Returns an E8M0 scale (OCP Microscaling Formats 1.0, 5.4.1). The inverse is 2^(e - 127), with e = 127 +
/// ceil(log2(amax / largest)) in 0 to 254. e is 255, which is NaN, for a block with a NaN, and 254 for a block with
/// inf. For e = 0 the multiplier is 1, so that values round to 0, since 2^127 would be too large for amax near 2^-127.
/// torchao's RCEIL does the same.
AMPPROF_EVERYWHERE constexpr ScalePair e8m0_scale(float amax, float largest) {
  constexpr std::uint32_t kHalfOfSmallestNormal = 0x00400000U;  // 2^-127
  const std::uint32_t quotient = bits_of(amax / largest) & kMagnitude;
  const std::uint32_t rounded_up = (quotient + 0x007fffffU) >> kMantissaBits;
  const std::uint32_t above_zero = rounded_up < 254U ? rounded_up : 254U;
  const std::uint32_t e = quotient > kHalfOfSmallestNormal ? above_zero : 0U;
  const std::uint32_t inverse = e == 0U ? kHalfOfSmallestNormal : e << kMantissaBits;
  const std::uint32_t power = e == 254U ? kHalfOfSmallestNormal : (254U - e) << kMantissaBits;
  const std::uint32_t multiplier = e == 0U ? bits_of(1.0F) : power;
  const bool has_nan = quotient > kInfinity;
  return {float_of(has_nan ? kNaN : multiplier), float_of(has_nan ? kNaN : inverse)};
}

constexpr float kSmallestTensorScale = 0x1p-120F;

/// Returns the FP32 scale of the tensor that multiplies the E4M3 scales: amax / (448 · largest), so that the scale of
/// the block with amax is 448. Returns 1 if amax is 0, inf or NaN. The scale is large enough to have an FP32 inverse,
/// even divided by the smallest E4M3 scale.
AMPPROF_EVERYWHERE constexpr float tensor_scale_above_e4m3(float amax, float largest) {
  const bool has_none = bits_of(amax) == 0 || bits_of(amax) >= kInfinity;
  const float quotient = amax / (448.0F * largest);
  return has_none ? 1.0F : (quotient < kSmallestTensorScale ? kSmallestTensorScale : quotient);
}

/// Returns the E4M3 value of (amax / largest) / tensor_scale, from 2^-6 to 448. NaN for a block with a NaN. The order
/// of operations is that of torchao.
AMPPROF_EVERYWHERE constexpr ScalePair e4m3_scale(float amax, float largest, float tensor_scale) {
  constexpr ElementRange kRange = range_of(error::format_of(error::WhatIfType::Float8E4M3));
  const float quotient = (amax / largest) / tensor_scale;
  const float raised = quotient < float_of(kRange.smallest) ? float_of(kRange.smallest) : quotient;
  const float scale = nearest(saturated(raised, kRange), kRange);
  return {(1.0F / tensor_scale) / scale, scale * tensor_scale};
}

/// Returns the scale of a block. Only BlockE4M3 uses `tensor_scale`. For FP32 scales amax ignores NaN.
template <recipes::Scale kind>
AMPPROF_EVERYWHERE constexpr ScalePair block_scale(float amax, float largest, float tensor_scale) {
  if constexpr (kind == recipes::Scale::BlockE8M0) return e8m0_scale(amax, largest);
  if constexpr (kind == recipes::Scale::BlockE4M3) return e4m3_scale(amax, largest, tensor_scale);
  if constexpr (kind == recipes::Scale::BlockPowerOfTwo) return power_of_two_scale(amax, largest);
  return float_scale(amax, largest);
}

/// Returns true for scales that can be NaN and make a block with a NaN entirely NaN. FP32 scales ignore NaN.
constexpr bool keeps_nan(recipes::Scale kind) {
  return kind == recipes::Scale::BlockE8M0 || kind == recipes::Scale::BlockE4M3;
}

}  // namespace ampprof::quantize

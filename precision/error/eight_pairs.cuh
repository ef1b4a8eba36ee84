// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <type_traits>

#include "precision/error/accumulator.h"
#include "precision/formats/types/on_device.cuh"

/// Processes eight pairs per lane at once, in float, and tells whether the result is accurate enough. Included only by
/// measure.cuh.
namespace ampprof::error::cuda {

/// Type of the reference if there is none. The output is then its own reference.
struct NoReference {};

constexpr unsigned kFloatMagnitude = 0x7fffffff;
constexpr unsigned kFloatInfinity = 0x7f800000;
constexpr int kFloatMantissa = 23;

/// The square of a value of at least this size, or of zero, is a normal float. If one of eight values is that large,
/// the squares of smaller values do not affect the sum.
constexpr float kSafe = 0x1p-62F;
constexpr float kTooLarge = 0x1p120F;                ///< limit for a sum of eight squares
constexpr float kOverflowsHalf = 65520;              ///< the smallest magnitude that overflows in FP16
constexpr unsigned kOverflowsHalfBits = 0x477ff000;  ///< bits of kOverflowsHalf
constexpr float kHalfOfSmallestHalf = 0x1p-25F;      ///< a tie that rounds to zero in FP16

/// Tells whether every nonzero value of the type exceeds kHalfOfSmallestHalf and has a square that is a normal float.
template <typename T>
constexpr bool kHasSafeValues = sizeof(T) == 1 || std::is_same_v<T, __half>;

/// Loads eight elements in chunks of at most 16 bytes; `from` must be aligned to a chunk.
template <typename T>
__device__ void load_eight(const T* from, float (&to)[kEight]) {
  constexpr int kOfLine = std::min<int>(kEight, 16 / sizeof(T));
  struct alignas(kOfLine * sizeof(T)) Line {
    T values[kOfLine];
  };
#pragma unroll
  for (int i = 0; i < kEight; i += kOfLine) {
    const Line line = *reinterpret_cast<const Line*>(from + i);
#pragma unroll
    for (int j = 0; j < kOfLine; ++j) to[i + j] = widened(line.values[j]);
  }
}

/// Parameters of ulps in float arithmetic. Errors in ulp are counted in multiples of `unit`, which keeps 1 / ulp a
/// normal float.
struct FloatSpacing {
  unsigned lowest_field;   ///< exponent field of the smallest normal value, shifted to the exponent bits of a float
  unsigned inverse_field;  ///< inverse_field - exponent field of r = exponent field of 1 / ulp(r), all shifted
  double unit;

  explicit FloatSpacing(Spacing spacing) {
    const int unit_exponent = std::max(0, spacing.mantissa_bits - spacing.min_exponent - 127);
    lowest_field = static_cast<unsigned>(127 + spacing.min_exponent) << kFloatMantissa;
    inverse_field = static_cast<unsigned>(254 + spacing.mantissa_bits - unit_exponent) << kFloatMantissa;
    unit = bits::value(static_cast<std::int64_t>(1023 + unit_exponent) << bits::kMantissa);
  }
};

/// Orders magnitudes like their values, but puts zero last.
__device__ inline unsigned order_of_nonzero(float value) { return 2 * __float_as_uint(value) - 1; }
constexpr unsigned kOrderOfInfinity = 2 * kFloatInfinity - 1;
constexpr unsigned kOrderOfSmallestNormal = 2 * (1U << kFloatMantissa) - 1;

/// Facts about eight references that tell whether their exponents alone determine how they round in FP16.
struct EightReferences {
  unsigned smallest = ~0U;
  bool has_tie = false;

  __device__ void add(float r) {
    smallest = min(smallest, order_of_nonzero(r));
    has_tie |= fabsf(r) == kHalfOfSmallestHalf;
  }

  __device__ bool can_be_trusted() const { return smallest >= kOrderOfSmallestNormal && !has_tie; }
};

/// Largest and smallest values of a lane in float, in addition to its LaneAccumulator.
struct FloatLargests {
  float output = 0;
  unsigned smallest = ~0U;  ///< smallest output, in the order of order_of_nonzero()
  float reference = 0;
  float error = 0;
  float ulps = 0;
};

/// Sums and largest magnitudes of eight pairs.
struct EightPairs {
  float output = 0, reference = 0, error = 0, ulps = 0;
  float sq_output = 0, sq_reference = 0, sq_error = 0, product = 0, sum_ulps = 0;
  unsigned flushed = 0;
  EightReferences references;

  __device__ void add(float y, float r, const FloatSpacing& spacing) {
    const float difference = y - r;
    output = fmaxf(output, fabsf(y));
    reference = fmaxf(reference, fabsf(r));
    error = fmaxf(error, fabsf(difference));
    sq_output += y * y;
    sq_reference += r * r;
    sq_error += difference * difference;
    product += y * r;
    const unsigned field = __float_as_uint(r) & kFloatInfinity;
    const unsigned raised = field > spacing.lowest_field ? field : spacing.lowest_field;
    const float in_ulps = fabsf(difference) * __uint_as_float(spacing.inverse_field - raised);
    ulps = fmaxf(ulps, in_ulps);
    sum_ulps += in_ulps;
    flushed += y == 0 && r != 0;
    references.add(r);
  }

  /// Returns true if nothing was NaN, inf or beyond FP16 and no square left the range of float. A sum is then within
  /// 1e-6 of the exact one. NaN makes a sum NaN, for which every comparison is false.
  template <typename Y>
  __device__ bool can_be_trusted() const {
    const auto fits = [](float largest) { return largest >= kSafe || largest == 0; };
    return sq_output + sq_reference + sq_error + sum_ulps < kTooLarge && reference < kOverflowsHalf &&
           (kHasSafeValues<Y> || fits(output)) && fits(reference) && fits(error) && references.can_be_trusted();
  }
};

__device__ inline void keep_smallest(FloatLargests& largests, const float (&output)[kEight]) {
#pragma unroll
  for (const float y : output) largests.smallest = min(largests.smallest, order_of_nonzero(y));
}

/// Counts the exponents of eight finite references. The hardware combines equal atomic additions of 1 in a warp.
__device__ inline void count_exponents(const float (&reference)[kEight], unsigned (&keys)[kKeys]) {
#pragma unroll
  for (const float r : reference) atomicAdd(&keys[(__float_as_uint(r) & kFloatMagnitude) >> kFloatMantissa], 1U);
}

/// Adds eight pairs in float. If the result would be inexact, returns false and updates only the smallest output.
template <typename Y>
__device__ bool add_eight(const float (&y)[kEight], const float (&r)[kEight], const FloatSpacing& spacing,
                          LaneAccumulator& mine, FloatLargests& largests, unsigned (&keys)[kKeys]) {
  EightPairs pairs;
#pragma unroll
  for (int i = 0; i < kEight; ++i) pairs.add(y[i], r[i], spacing);
  keep_smallest(largests, y);
  if (!pairs.can_be_trusted<Y>()) return false;
  largests.output = fmaxf(largests.output, pairs.output);
  largests.reference = fmaxf(largests.reference, pairs.reference);
  largests.error = fmaxf(largests.error, pairs.error);
  largests.ulps = fmaxf(largests.ulps, pairs.ulps);
  mine.counts[Accumulator::kFlushed] += pairs.flushed;
  mine.sums[Accumulator::kUlp] += pairs.sum_ulps * spacing.unit;
  mine.sums[Accumulator::kSqError] += pairs.sq_error;
  mine.sums[Accumulator::kSqReference] += pairs.sq_reference;
  mine.sums[Accumulator::kSqOutput] += pairs.sq_output;
  mine.sums[Accumulator::kProduct] += pairs.product;
  count_exponents(r, keys);
  return true;
}

/// Adds eight values without a reference. If their exponents do not determine how they round in FP16, returns false and
/// updates only the smallest output.
template <typename Y>
__device__ bool add_eight(const float (&y)[kEight], FloatLargests& largests, unsigned (&keys)[kKeys]) {
  unsigned largest = 0;  // compared as an integer, so that NaN is the largest
  EightReferences references;
#pragma unroll
  for (const float value : y) {
    largest = max(largest, __float_as_uint(value) & kFloatMagnitude);
    if constexpr (!kHasSafeValues<Y>) references.add(value);
  }
  keep_smallest(largests, y);
  if (largest >= kOverflowsHalfBits || !references.can_be_trusted()) return false;
  largests.output = fmaxf(largests.output, __uint_as_float(largest));
  count_exponents(y, keys);
  return true;
}

/// Adds the largest and smallest values in float to the accumulator.
__device__ inline void fold(const FloatLargests& found, double unit, LaneAccumulator& mine) {
  const auto keep = [&](Accumulator::Largest which, double value) { raise(mine.largests[which], bits::of(value)); };
  keep(Accumulator::kAmax, found.output);
  keep(Accumulator::kReferenceAmax, found.reference);
  keep(Accumulator::kMaxAbs, found.error);
  keep(Accumulator::kMaxUlp, found.ulps * unit);
  if (found.smallest >= kOrderOfInfinity) return;
  const double smallest = __uint_as_float((found.smallest + 1) / 2);
  raise(mine.largests[Accumulator::kSmallestFromInfinity], bits::kInfinity - bits::of(smallest));
}

}  // namespace ampprof::error::cuda

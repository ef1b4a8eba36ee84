// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <type_traits>

#include "precision/error/accumulator.h"
#include "precision/formats/types/on_device.cuh"

/// Eight pairs of a lane at once, in float, and whether what came out can be trusted. Included by measure.cuh alone.
namespace ampprof::error::cuda {

/// In place of a reference's type: the output is its own reference.
struct NoReference {};

constexpr unsigned kFloatMagnitude = 0x7fffffff;
constexpr unsigned kFloatInfinity = 0x7f800000;
constexpr int kFloatMantissa = 23;

/// Squares of values at least this large, or of zero, are normal floats; those of others are lost in their sum where
/// such a value is among eight.
constexpr float kSafe = 0x1p-62F;
constexpr float kTooLarge = 0x1p120F;                ///< for a sum of eight
constexpr float kOverflowsHalf = 65520;              ///< the smallest magnitude that FP16 has no finite value for
constexpr unsigned kOverflowsHalfBits = 0x477ff000;  ///< of that one
constexpr float kHalfOfSmallestHalf = 0x1p-25F;      ///< what rounds to zero in FP16: to even

/// Whether every value of the type but zero has a square that is a normal float, and is more than kHalfOfSmallestHalf.
template <typename T>
constexpr bool kHasSafeValues = sizeof(T) == 1 || std::is_same_v<T, __half>;

/// Reads eight elements by loads of at most 16 bytes; `from` is a multiple of that.
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

/// An output type's ulps as floats see them. Their unit keeps what errors are multiplied by a normal float.
struct FloatSpacing {
  unsigned lowest_field;   ///< where floats have it, as the one below
  unsigned inverse_field;  ///< less the exponent field of r, that of what an error at r is multiplied by
  double unit;

  explicit FloatSpacing(Spacing spacing) {
    const int unit_exponent = std::max(0, spacing.mantissa_bits - spacing.min_exponent - 127);
    lowest_field = static_cast<unsigned>(127 + spacing.min_exponent) << kFloatMantissa;
    inverse_field = static_cast<unsigned>(254 + spacing.mantissa_bits - unit_exponent) << kFloatMantissa;
    unit = bits::value(static_cast<std::int64_t>(1023 + unit_exponent) << bits::kMantissa);
  }
};

/// Orders magnitudes as their values are, but with zero last.
__device__ inline unsigned order_of_nonzero(float value) { return 2 * __float_as_uint(value) - 1; }
constexpr unsigned kOrderOfInfinity = 2 * kFloatInfinity - 1;
constexpr unsigned kOrderOfSmallestNormal = 2 * (1U << kFloatMantissa) - 1;

/// What must be known of eight references for their exponents to say how they fare in FP16.
struct EightReferences {
  unsigned smallest = ~0U;
  bool has_tie = false;

  __device__ void add(float r) {
    smallest = min(smallest, order_of_nonzero(r));
    has_tie |= fabsf(r) == kHalfOfSmallestHalf;
  }

  __device__ bool can_be_trusted() const { return smallest >= kOrderOfSmallestNormal && !has_tie; }
};

/// What a lane finds in float, beside its LaneAccumulator.
struct FloatLargests {
  float output = 0;
  unsigned smallest = ~0U;  ///< of the output, as order_of_nonzero() has it
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

  /// Nothing was NaN or inf or beyond FP16, and no square left the range of float: then a sum is within 1e-6 of the
  /// exact one. NaN makes a sum NaN, which is not less than anything.
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

/// Counts the exponents of eight finite references. An atomic that adds 1 counts the equal ones of a warp at once.
__device__ inline void count_exponents(const float (&reference)[kEight], unsigned (&keys)[kKeys]) {
#pragma unroll
  for (const float r : reference) atomicAdd(&keys[(__float_as_uint(r) & kFloatMagnitude) >> kFloatMantissa], 1U);
}

/// Adds eight pairs in float. Returns false, and adds nothing but to the smallest, where that would not be right.
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

/// The same for values alone.
template <typename Y>
__device__ bool add_eight(const float (&y)[kEight], FloatLargests& largests, unsigned (&keys)[kKeys]) {
  unsigned largest = 0;  // as integers, which do not lose NaN
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

/// Moves what was found in float to where the rest is.
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

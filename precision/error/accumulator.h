// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "precision/error/output_statistics.h"
#include "precision/formats/types/everywhere.h"
#include "precision/formats/types/spacing.h"

/// Statistics that one thread of the CUDA kernel accumulates over pairs of values. The code compiles for the CPU too,
/// where tests compare it with its definition, cpu::measure().
namespace ampprof::error::cuda {

/// Indices of the statistics that make up an OutputStatistics. They are plain numbers, so that threads can update each
/// with one atomic addition or maximum. Zeroed memory is an empty accumulator. Magnitudes are the bits of a double
/// without its sign: as integers they have the order of the values.
struct AccumulatorFields {
  enum Count {
    kElements,
    kExcluded,
    kInfinite,
    kFlushed,
    kNonfinite,
    kMinusInfinite,
    kToInf,
    kSubnormal,
    kToZero,
    kCounts
  };
  enum Largest { kAmax, kSmallestFromInfinity, kReferenceAmax, kMaxAbs, kMaxUlp, kLargests };
  enum Sum { kUlp, kSqError, kSqReference, kSqOutput, kProduct, kSums };
};

template <typename Counter>
struct BasicAccumulator : AccumulatorFields {
  Counter counts[kCounts];
  unsigned long long largests[kLargests];  // kSmallestFromInfinity: bits of inf minus bits of the smallest, or 0
  double sums[kSums];
};

using Accumulator = BasicAccumulator<unsigned long long>;  ///< for a tensor, with the type of CUDA's atomics
using LaneAccumulator = BasicAccumulator<unsigned>;        ///< for a thread

/// An Accumulator and the exponent counts of the reference, as the kernel stores them in device memory.
struct AccumulatorWithExponents {
  Accumulator accumulator;
  unsigned long long exponents[ExponentHistogram::kBins];
};

/// Exponents are counted by the exponent field that the value has as a float (the key). Key 1 also counts values below
/// the normal range of float, and key 0 counts zeros.
constexpr int kKeys = 256;
constexpr int kNoKey = -1;

namespace bits {
constexpr std::int64_t kMagnitude = 0x7fffffffffffffff;
constexpr std::int64_t kInfinity = 0x7ff0000000000000;
constexpr int kMantissa = 52;

AMPPROF_EVERYWHERE inline std::int64_t of(double value) {
#ifdef __CUDA_ARCH__
  return __double_as_longlong(value);
#else
  return __builtin_bit_cast(std::int64_t, value);
#endif
}

AMPPROF_EVERYWHERE inline double value(std::int64_t bits) {
#ifdef __CUDA_ARCH__
  return __longlong_as_double(bits);
#else
  return __builtin_bit_cast(double, bits);
#endif
}
}  // namespace bits

AMPPROF_EVERYWHERE inline void raise(unsigned long long& largest, std::int64_t to) {
  const auto candidate = static_cast<unsigned long long>(to);
  if (candidate > largest) largest = candidate;
}

/// Adds the statistics that depend on the output alone: magnitudes and nonfinite values.
template <typename Counter>
AMPPROF_EVERYWHERE void add_output(BasicAccumulator<Counter>& accumulator, double y) {
  const std::int64_t magnitude = bits::of(y) & bits::kMagnitude;
  if (magnitude >= bits::kInfinity) {
    ++accumulator.counts[Accumulator::kNonfinite];
    accumulator.counts[Accumulator::kMinusInfinite] += bits::of(y) < 0 && magnitude == bits::kInfinity;
    return;
  }
  raise(accumulator.largests[Accumulator::kAmax], magnitude);
  if (magnitude != 0) raise(accumulator.largests[Accumulator::kSmallestFromInfinity], bits::kInfinity - magnitude);
}

/// Adds the statistics of the reference that its exponent does not determine: its largest magnitude and values at
/// FP16's limits. Returns the key of the exponent, or kNoKey.
template <typename Counter>
AMPPROF_EVERYWHERE int add_reference(BasicAccumulator<Counter>& accumulator, double r) {
  const std::int64_t bits_of_r = bits::of(r) & bits::kMagnitude;
  const double magnitude = bits::value(bits_of_r);
  if (bits_of_r > bits::kInfinity) return kNoKey;
  accumulator.counts[Accumulator::kToInf] += magnitude >= 65520.0;
  if (bits_of_r == bits::kInfinity || bits_of_r == 0) return kNoKey;
  accumulator.counts[Accumulator::kToZero] += magnitude == 0x1p-25;
  raise(accumulator.largests[Accumulator::kReferenceAmax], bits_of_r);
  const int field = static_cast<int>(bits_of_r >> bits::kMantissa) - (1023 - 127);
  const int raised = field > 1 ? field : 1;
  return raised < kKeys - 2 ? raised : kKeys - 2;
}

/// Adds the count of a key to the exponents and to the statistics that follow from the key. `add` adds to a counter; on
/// a GPU it is an atomic addition.
template <typename Add>
AMPPROF_EVERYWHERE void add_key(AccumulatorWithExponents& into, int key, unsigned long long count, Add add) {
  if (key == 0 || count == 0) return;
  if (key < 127 - 14) add(into.accumulator.counts[Accumulator::kSubnormal], count);
  if (key < 127 - 25) add(into.accumulator.counts[Accumulator::kToZero], count);
  add(into.exponents[ExponentHistogram::bin_of(key - 126)], count);
}

template <typename Counter>
AMPPROF_EVERYWHERE void add_error(BasicAccumulator<Counter>& accumulator, double y, double r, Spacing spacing) {
  const std::int64_t r_bits = bits::of(r) & bits::kMagnitude;
  if (r_bits >= bits::kInfinity || (bits::of(y) & bits::kMagnitude) >= bits::kInfinity) {
    ++accumulator.counts[Accumulator::kExcluded];
    accumulator.counts[Accumulator::kInfinite] += r_bits < bits::kInfinity;
    return;
  }
  const double error = y - r;
  const std::int64_t magnitude = bits::of(error) & bits::kMagnitude;
  const std::int64_t lowest_field = 1023 + spacing.min_exponent;
  const std::int64_t field = r_bits >> bits::kMantissa;
  const std::int64_t inverse = 2046 + spacing.mantissa_bits - (field > lowest_field ? field : lowest_field);
  const double ulps = bits::value(magnitude) * bits::value(inverse << bits::kMantissa);
  accumulator.counts[Accumulator::kFlushed] += y == 0 && r != 0;
  raise(accumulator.largests[Accumulator::kMaxAbs], magnitude);
  raise(accumulator.largests[Accumulator::kMaxUlp], bits::of(ulps));
  accumulator.sums[Accumulator::kUlp] += ulps;
  accumulator.sums[Accumulator::kSqError] += error * error;
  accumulator.sums[Accumulator::kSqReference] += r * r;
  accumulator.sums[Accumulator::kSqOutput] += y * y;
  accumulator.sums[Accumulator::kProduct] += y * r;
}

inline double value_of(unsigned long long magnitude) { return bits::value(static_cast<std::int64_t>(magnitude)); }

inline RangeStats ranges_of(const Accumulator& accumulator) {
  const auto count = [&](Accumulator::Count which) { return static_cast<std::int64_t>(accumulator.counts[which]); };
  const auto from_infinity = static_cast<std::int64_t>(accumulator.largests[Accumulator::kSmallestFromInfinity]);
  return {.count = count(Accumulator::kElements),
          .nonfinite = count(Accumulator::kNonfinite),
          .amax = value_of(accumulator.largests[Accumulator::kAmax]),
          .smallest = from_infinity == 0 ? 0.0 : bits::value(bits::kInfinity - from_infinity),
          .reference_amax = value_of(accumulator.largests[Accumulator::kReferenceAmax]),
          .rounds_to_inf = count(Accumulator::kToInf),
          .subnormal = count(Accumulator::kSubnormal),
          .rounds_to_zero = count(Accumulator::kToZero)};
}

inline ErrorStats errors_of(const Accumulator& accumulator) {
  const auto excluded = static_cast<std::int64_t>(accumulator.counts[Accumulator::kExcluded]);
  const auto infinite = static_cast<std::int64_t>(accumulator.counts[Accumulator::kInfinite]);
  const auto largest = [&](Accumulator::Largest which) {
    return infinite > 0 ? bits::value(bits::kInfinity) : value_of(accumulator.largests[which]);
  };
  return {.count = static_cast<std::int64_t>(accumulator.counts[Accumulator::kElements]) - excluded,
          .excluded = excluded,
          .infinite = infinite,
          .flushed = static_cast<std::int64_t>(accumulator.counts[Accumulator::kFlushed]),
          .max_abs = largest(Accumulator::kMaxAbs),
          .max_ulp = largest(Accumulator::kMaxUlp),
          .sum_ulp = accumulator.sums[Accumulator::kUlp],
          .sum_sq_error = accumulator.sums[Accumulator::kSqError],
          .sum_sq_reference = accumulator.sums[Accumulator::kSqReference],
          .sum_sq_output = accumulator.sums[Accumulator::kSqOutput],
          .sum_product = accumulator.sums[Accumulator::kProduct]};
}

/// Adds `size` pairs, or single values if `reference` is null, to `into`, in order on this thread.
void add_all(const double* output, const double* reference, std::size_t size, Spacing spacing,
             AccumulatorWithExponents& into);

/// Converts an accumulator to OutputStatistics. Without a reference there are no local errors.
OutputStatistics measured_from(const AccumulatorWithExponents& found, bool has_reference);

}  // namespace ampprof::error::cuda

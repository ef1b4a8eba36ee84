// SPDX-License-Identifier: Apache-2.0
#include "precision/error/accumulator.h"

#include <algorithm>

namespace ampprof::cuda {
namespace {

double value_of(unsigned long long magnitude) { return bits::value(static_cast<std::int64_t>(magnitude)); }

RangeStats ranges_of(const Accumulator& accumulator) {
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

ErrorStats errors_of(const Accumulator& accumulator) {
  const auto excluded = static_cast<std::int64_t>(accumulator.counts[Accumulator::kExcluded]);
  return {.count = static_cast<std::int64_t>(accumulator.counts[Accumulator::kElements]) - excluded,
          .excluded = excluded,
          .flushed = static_cast<std::int64_t>(accumulator.counts[Accumulator::kFlushed]),
          .max_abs = value_of(accumulator.largests[Accumulator::kMaxAbs]),
          .max_ulp = value_of(accumulator.largests[Accumulator::kMaxUlp]),
          .sum_ulp = accumulator.sums[Accumulator::kUlp],
          .sum_sq_error = accumulator.sums[Accumulator::kSqError],
          .sum_sq_reference = accumulator.sums[Accumulator::kSqReference],
          .sum_sq_output = accumulator.sums[Accumulator::kSqOutput],
          .sum_product = accumulator.sums[Accumulator::kProduct]};
}

}  // namespace

void add_all(const double* output, const double* reference, std::size_t size, Spacing spacing,
             AccumulatorWithExponents& into) {
  for (std::size_t i = 0; i < size; ++i) {
    const double r = reference == nullptr ? output[i] : reference[i];
    add_output(into.accumulator, output[i]);
    if (reference != nullptr) add_error(into.accumulator, output[i], r, spacing);
    if (const int bin = add_reference(into.accumulator, r); bin != kNoBin) ++into.exponents[bin];
  }
}

OutputStatistics measured_from(const AccumulatorWithExponents& found, bool has_reference) {
  OutputStatistics measured{.ranges = ranges_of(found.accumulator)};
  if (has_reference) measured.local = errors_of(found.accumulator);
  std::ranges::copy(found.exponents, measured.exponents.counts.begin());
  measured.minus_infinite = static_cast<std::int64_t>(found.accumulator.counts[Accumulator::kMinusInfinite]);
  return measured;
}

}  // namespace ampprof::cuda

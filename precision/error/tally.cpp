// SPDX-License-Identifier: Apache-2.0
#include "precision/error/tally.h"

#include <algorithm>

namespace ampprof::cuda {
namespace {

double value_of(unsigned long long magnitude) { return bits::value(static_cast<std::int64_t>(magnitude)); }

RangeStats ranges_of(const Tally& tally) {
  const auto count = [&](Tally::Count which) { return static_cast<std::int64_t>(tally.counts[which]); };
  const auto from_infinity = static_cast<std::int64_t>(tally.largests[Tally::kSmallestFromInfinity]);
  return {.count = count(Tally::kElements),
          .nonfinite = count(Tally::kNonfinite),
          .amax = value_of(tally.largests[Tally::kAmax]),
          .smallest = from_infinity == 0 ? 0.0 : bits::value(bits::kInfinity - from_infinity),
          .reference_amax = value_of(tally.largests[Tally::kReferenceAmax]),
          .rounds_to_inf = count(Tally::kToInf),
          .subnormal = count(Tally::kSubnormal),
          .rounds_to_zero = count(Tally::kToZero)};
}

ErrorStats errors_of(const Tally& tally) {
  const auto excluded = static_cast<std::int64_t>(tally.counts[Tally::kExcluded]);
  return {.count = static_cast<std::int64_t>(tally.counts[Tally::kElements]) - excluded,
          .excluded = excluded,
          .flushed = static_cast<std::int64_t>(tally.counts[Tally::kFlushed]),
          .max_abs = value_of(tally.largests[Tally::kMaxAbs]),
          .max_ulp = value_of(tally.largests[Tally::kMaxUlp]),
          .sum_ulp = tally.sums[Tally::kUlp],
          .sum_sq_error = tally.sums[Tally::kSqError],
          .sum_sq_reference = tally.sums[Tally::kSqReference],
          .sum_sq_output = tally.sums[Tally::kSqOutput],
          .sum_product = tally.sums[Tally::kProduct]};
}

}  // namespace

void add_all(const double* output, const double* reference, std::size_t size, Spacing spacing,
             TallyWithExponents& into) {
  for (std::size_t i = 0; i < size; ++i) {
    const double r = reference == nullptr ? output[i] : reference[i];
    add_output(into.tally, output[i]);
    if (reference != nullptr) add_error(into.tally, output[i], r, spacing);
    if (const int bin = add_reference(into.tally, r); bin != kNoBin) ++into.exponents[bin];
  }
}

Measured measured_from(const TallyWithExponents& found, bool has_reference) {
  Measured measured{.ranges = ranges_of(found.tally)};
  if (has_reference) measured.local = errors_of(found.tally);
  std::ranges::copy(found.exponents, measured.exponents.counts.begin());
  measured.minus_infinite = static_cast<std::int64_t>(found.tally.counts[Tally::kMinusInfinite]);
  return measured;
}

}  // namespace ampprof::cuda

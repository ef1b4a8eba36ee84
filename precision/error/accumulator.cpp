// SPDX-License-Identifier: Apache-2.0
#include "precision/error/accumulator.h"

#include <algorithm>

namespace ampprof::error::cuda {

void add_all(const double* output, const double* reference, std::size_t size, Spacing spacing,
             AccumulatorWithExponents& into) {
  for (std::size_t i = 0; i < size; ++i) {
    const double r = reference == nullptr ? output[i] : reference[i];
    add_output(into.accumulator, output[i]);
    if (reference != nullptr) add_error(into.accumulator, output[i], r, spacing);
    const int key = add_reference(into.accumulator, r);
    if (key != kNoKey)
      add_key(into, key, 1, [](unsigned long long& number, unsigned long long more) { number += more; });
  }
  into.accumulator.counts[Accumulator::kElements] += size;
}

OutputStatistics measured_from(const AccumulatorWithExponents& found, bool has_reference) {
  OutputStatistics measured{.ranges = ranges_of(found.accumulator)};
  if (has_reference) measured.local = errors_of(found.accumulator);
  std::ranges::copy(found.exponents, measured.exponents.counts.begin());
  measured.minus_infinite = static_cast<std::int64_t>(found.accumulator.counts[Accumulator::kMinusInfinite]);
  return measured;
}

}  // namespace ampprof::error::cuda

// SPDX-License-Identifier: Apache-2.0
#include "reports/records/exponents.h"

#include <algorithm>

#include "reports/records/bytes.h"
#include "reports/records/saturating_add.h"

namespace ampprof {
void ExponentHistogram::merge(const ExponentHistogram& other) {
  auto other_count = other.counts.begin();
  for (std::int64_t& count : counts) saturating_add(count, *other_count++);
}

ExponentHistogram ExponentHistogram::shifted(int shift) const {
  ExponentHistogram moved;
  for (int exponent = exponent_of(0); const std::int64_t count : counts) {
    saturating_add(moved.counts[bin_of(exponent++ + shift)], count);
  }
  return moved;
}

std::int64_t ExponentHistogram::total() const {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) saturating_add(sum, count);
  return sum;
}

std::string encode(const ExponentHistogram& histogram) {
  const auto occupied = [](std::int64_t count) { return count > 0; };
  const auto& counts = histogram.counts;
  const auto first = std::find_if(counts.begin(), counts.end(), occupied);
  const auto end = std::find_if(counts.rbegin(), counts.rend(), occupied).base();
  std::string encoded;
  if (first == counts.end()) return encoded;
  bytes::put_number(encoded, static_cast<std::uint64_t>(first - counts.begin()));
  std::for_each(first, end, [&](std::int64_t count) { bytes::put_number(encoded, static_cast<std::uint64_t>(count)); });
  return encoded;
}

std::optional<ExponentHistogram> decode_exponents(std::string_view encoded) {
  ExponentHistogram histogram;
  if (encoded.empty()) return histogram;
  bytes::ByteReader from(encoded);
  const auto first = static_cast<std::size_t>(from.count());
  for (std::size_t bin = first; !from.at_end(); ++bin) {
    const std::int64_t count = from.count();
    if (bin >= ExponentHistogram::kBins) return std::nullopt;
    histogram.counts[bin] = count;
  }
  if (from.failed() || first >= ExponentHistogram::kBins) return std::nullopt;
  return histogram;
}

}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#include "reports/records/exponents.h"

#include <algorithm>
#include <numeric>

#include "reports/records/saturating_add.h"

namespace ampprof {
namespace {

void put_number(std::string& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes.push_back(static_cast<char>(number | 0x80));
  bytes.push_back(static_cast<char>(number));
}

/// Takes a number off the front; empty where there is none that fits a count.
std::optional<std::int64_t> take_number(std::string_view& bytes) {
  std::uint64_t number = 0;
  for (int shift = 0; shift < 63 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return static_cast<std::int64_t>(number);
  }
  return std::nullopt;
}

}  // namespace

void ExponentHistogram::merge(const ExponentHistogram& other) {
  for (std::size_t bin = 0; bin < kBins; ++bin) saturating_add(counts[bin], other.counts[bin]);
}

std::int64_t ExponentHistogram::total() const {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) saturating_add(sum, count);
  return sum;
}

std::string pack(const ExponentHistogram& histogram) {
  const auto occupied = [](std::int64_t count) { return count > 0; };
  const auto& counts = histogram.counts;
  const auto first = std::find_if(counts.begin(), counts.end(), occupied);
  const auto end = std::find_if(counts.rbegin(), counts.rend(), occupied).base();
  std::string bytes;
  if (first == counts.end()) return bytes;
  put_number(bytes, static_cast<std::uint64_t>(first - counts.begin()));
  std::for_each(first, end, [&](std::int64_t count) { put_number(bytes, static_cast<std::uint64_t>(count)); });
  return bytes;
}

std::optional<ExponentHistogram> unpack_exponents(std::string_view bytes) {
  ExponentHistogram histogram;
  if (bytes.empty()) return histogram;
  const auto first = take_number(bytes);
  if (!first || *first >= static_cast<std::int64_t>(ExponentHistogram::kBins)) return std::nullopt;
  for (auto bin = static_cast<std::size_t>(*first); !bytes.empty(); ++bin) {
    const auto count = take_number(bytes);
    if (!count || bin >= ExponentHistogram::kBins) return std::nullopt;
    histogram.counts[bin] = *count;
  }
  return histogram;
}

}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ampprof {

/// Counts values by binary exponent: |x| in [2^(e-1), 2^e) counts at e, the exponent that frexp() returns.
///
/// There is one bin for each exponent from kLowest to kHighest, and a tail at either end. Zeros, NaN and inf are not
/// counted. The sum of the histograms of two parts is the histogram of the whole.
struct ExponentHistogram {
  static constexpr int kLowest = -64;
  static constexpr int kHighest = 32;
  static constexpr std::size_t kBins = kHighest - kLowest + 3;

  std::array<std::int64_t, kBins> counts{};  ///< first the tail below kLowest, last the tail above kHighest

  /// Returns the bin of a finite, nonzero value with this exponent.
  static constexpr std::size_t bin_of(int exponent) {
    if (exponent < kLowest) return 0;
    return exponent > kHighest ? kBins - 1 : static_cast<std::size_t>(exponent - kLowest + 1);
  }
  /// Returns the exponent of a bin; kLowest - 1 and kHighest + 1 for the tails.
  static constexpr int exponent_of(std::size_t bin) { return kLowest - 1 + static_cast<int>(bin); }

  void merge(const ExponentHistogram& other);
  /// Returns the histogram of the values times 2^shift. Values beyond the bins go into the tails.
  ExponentHistogram shifted(int shift) const;
  /// Returns the number of values in all bins: finite and not zero.
  std::int64_t total() const;

  bool operator==(const ExponentHistogram&) const = default;
};

/// Encodes the histogram as bytes for the report, all as LEB128 numbers: the first occupied bin, then the counts of the
/// bins from it to the last occupied one. Empty for a histogram without values. Typically 20 to 60 bytes.
std::string encode(const ExponentHistogram& histogram);

/// Decodes the bytes of encode(). Empty for bytes that it cannot have written: a report is untrusted input.
std::optional<ExponentHistogram> decode_exponents(std::string_view encoded);

}  // namespace ampprof

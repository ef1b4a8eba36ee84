// SPDX-License-Identifier: Apache-2.0
#include "reports/records/exponents.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace ampprof {
namespace exponents_test {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

ExponentHistogram random_histogram(std::mt19937_64& random) {
  ExponentHistogram histogram;
  const std::size_t bins = random() % 20;
  for (std::size_t i = 0; i < bins; ++i) {
    histogram.counts[random() % ExponentHistogram::kBins] = static_cast<std::int64_t>(random() >> (1 + random() % 60));
  }
  return histogram;
}

TEST(ExponentHistogram, CountsAValueAtTheExponentThatFrexpGives) {
  for (const double value : {1.0, 0.75, 65504.0, 0x1p-24, 3e-8}) {
    int exponent = 0;
    std::frexp(value, &exponent);
    EXPECT_EQ(ExponentHistogram::exponent_of(ExponentHistogram::bin_of(exponent)), exponent);
  }
}

TEST(ExponentHistogram, HasATailAtEitherEnd) {
  EXPECT_EQ(ExponentHistogram::bin_of(-65), 0u);
  EXPECT_EQ(ExponentHistogram::bin_of(-1000), 0u);
  EXPECT_EQ(ExponentHistogram::bin_of(-64), 1u);
  EXPECT_EQ(ExponentHistogram::bin_of(32), ExponentHistogram::kBins - 2);
  EXPECT_EQ(ExponentHistogram::bin_of(33), ExponentHistogram::kBins - 1);
}

TEST(ExponentHistogram, AddsUpAndStaysAtItsLargestCount) {
  ExponentHistogram a, b;
  a.counts[3] = 5;
  b.counts[3] = 7;
  b.counts[4] = kLargest;
  a.merge(b);
  a.merge(b);
  EXPECT_EQ(a.counts[3], 19);
  EXPECT_EQ(a.counts[4], kLargest);
  EXPECT_EQ(a.total(), kLargest);
}

TEST(ExponentHistogram, ComesBackFromItsBytes) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000; ++i) {
    const auto histogram = random_histogram(random);
    ASSERT_EQ(decode_exponents(encode(histogram)), histogram);
  }
  EXPECT_EQ(encode(ExponentHistogram{}), "");
}

TEST(ExponentHistogram, RefusesBytesThatItDidNotWrite) {
  EXPECT_FALSE(decode_exponents("\x63\x01")) << "a bin behind the last";
  EXPECT_FALSE(decode_exponents(std::string("\x62\x01\x01"))) << "counts run past the last bin";
  EXPECT_FALSE(decode_exponents("\x63")) << "a first bin behind the last, without counts";
  EXPECT_FALSE(decode_exponents("\x05\x80")) << "a number without its end";
  EXPECT_FALSE(decode_exponents(std::string(11, '\xff'))) << "a number too large";
  std::mt19937_64 random(8);
  for (int i = 0; i < 10'000; ++i) {
    std::string bytes(random() % 16, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    if (const auto histogram = decode_exponents(bytes)) {
      ASSERT_GE(histogram->total(), 0);
    }
  }
}

TEST(ExponentHistogram, MovesEveryCountByTheShiftAndTheOutermostIntoTheTails) {
  ExponentHistogram histogram;
  for (std::size_t bin = 0; bin < ExponentHistogram::kBins; ++bin) histogram.counts[bin] = 1;
  EXPECT_EQ(histogram.shifted(0), histogram);
  ExponentHistogram up = histogram;
  up.counts.front() = up.counts[1] = 0;
  up.counts.back() = 3;
  EXPECT_EQ(histogram.shifted(2), up);
  ExponentHistogram down = histogram;
  down.counts.back() = 0;
  down.counts.front() = 2;
  EXPECT_EQ(histogram.shifted(-1), down);
}

}  // namespace exponents_test
}  // namespace ampprof

// SPDX-License-Identifier: Apache-2.0
#include "precision/sketch/sketch.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace ampprof::sketch {
namespace sketch_test {

template <typename T>
Sketch of(const std::vector<T>& values, DType dtype, std::uint64_t start = 0) {
  Sketch sketch;
  add({values.data(), values.size(), dtype}, start, sketch);
  return sketch;
}

std::vector<float> normal(std::size_t count, unsigned seed) {
  std::mt19937 dice(seed);
  std::normal_distribution<float> values;
  std::vector<float> all(count);
  for (float& value : all) value = values(dice);
  return all;
}

TEST(Sketch, OfPartsAddsUpToThatOfTheWhole) {
  const std::vector<float> values = normal(1000, 1);
  const Sketch whole = of(values, DType::Float);
  Sketch sum;
  for (std::size_t start = 0; start < values.size(); start += 5 * kBlock) {
    const std::size_t size = std::min(5 * kBlock, values.size() - start);
    merge(sum, of(std::vector<float>(values.begin() + static_cast<std::ptrdiff_t>(start),
                                     values.begin() + static_cast<std::ptrdiff_t>(start + size)),
                  DType::Float, start));
  }
  EXPECT_EQ(sum.checksum, whole.checksum);
  EXPECT_EQ(sum.elements, 1000);
  EXPECT_NEAR(sum.sum_sq, whole.sum_sq, 1e-9);
  for (std::size_t i = 0; i < kSketchSums; ++i) EXPECT_NEAR(sum.sums[i], whole.sums[i], 1e-9);
}

TEST(Sketch, IsLinear) {
  const std::vector<float> a = normal(777, 1);
  std::vector<float> doubled = a;
  for (float& value : doubled) value *= 2;
  const Sketch one = of(a, DType::Float);
  const Sketch two = of(doubled, DType::Float);
  for (std::size_t i = 0; i < kSketchSums; ++i) EXPECT_NEAR(two.sums[i], 2 * one.sums[i], 1e-9);
}

/// By its definition, the estimate has a standard deviation of 9 % and no bias.
TEST(Sketch, EstimatesTheDistance) {
  int within_a_fifth = 0;
  double sum = 0.0;
  constexpr int kTries = 200;
  for (int seed = 0; seed < kTries; ++seed) {
    const std::vector<float> a = normal(5000, static_cast<unsigned>(seed));
    std::vector<float> b = a;
    const std::vector<float> differences = normal(5000, static_cast<unsigned>(seed) + 1000);
    double true_square = 0.0;
    for (std::size_t i = 0; i < b.size(); i += 7) {
      b[i] += differences[i] * 1e-3F;
      true_square += std::pow(static_cast<double>(b[i]) - static_cast<double>(a[i]), 2);
    }
    const double ratio = distance(of(a, DType::Float), of(b, DType::Float)) / std::sqrt(true_square);
    sum += ratio;
    within_a_fifth += std::abs(ratio - 1) <= 0.2 ? 1 : 0;
  }
  EXPECT_GE(within_a_fifth, kTries * 95 / 100);
  EXPECT_NEAR(sum / kTries, 1.0, 0.03);
}

/// Errors in a single channel are as common in practice as errors everywhere.
TEST(Sketch, EstimatesTheDistanceOfWhatDiffersInOneChannel) {
  int within_a_fifth = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const std::vector<float> a = normal(64 * 128, seed);
    std::vector<float> b = a;
    double true_square = 0.0;
    for (std::size_t i = seed % 64; i < b.size(); i += 64) {
      b[i] *= 1.01F;
      true_square += std::pow(static_cast<double>(b[i]) - static_cast<double>(a[i]), 2);
    }
    const double ratio = distance(of(a, DType::Float), of(b, DType::Float)) / std::sqrt(true_square);
    within_a_fifth += std::abs(ratio - 1) <= 0.2 ? 1 : 0;
  }
  EXPECT_GE(within_a_fifth, 90);
}

TEST(Sketch, NoticesEveryBit) {
  std::vector<float> values = normal(300, 3);
  const Sketch before = of(values, DType::Float);
  for (const std::size_t place : {std::size_t{0}, std::size_t{63}, std::size_t{64}, std::size_t{299}}) {
    for (int bit = 0; bit < 32; ++bit) {
      std::vector<float> other = values;
      other[place] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(other[place]) ^ 1U << bit);
      EXPECT_NE(of(other, DType::Float).checksum, before.checksum) << place << ' ' << bit;
    }
  }
  std::swap(values[5], values[6]);
  EXPECT_NE(of(values, DType::Float).checksum, before.checksum) << "another order";
}

TEST(Sketch, LeavesOutWhatIsNotFinite) {
  std::vector<float> values = normal(100, 4);
  values[7] = values[70] = 0.0F;
  const Sketch finite = of(values, DType::Float);
  values[7] = std::numeric_limits<float>::infinity();
  values[70] = std::numeric_limits<float>::quiet_NaN();
  const Sketch sketch = of(values, DType::Float);
  EXPECT_EQ(sketch.nonfinite, 2);
  EXPECT_EQ(sketch.sums, finite.sums);
  EXPECT_EQ(sketch.sum_sq, finite.sum_sq);
  EXPECT_NE(sketch.checksum, finite.checksum);
}

TEST(Sketch, IsTheSameForEveryTypeThatHoldsTheValues) {
  std::vector<double> wide;
  std::vector<float> narrow;
  std::vector<std::uint16_t> brain;
  for (int i = 0; i < 9000; ++i) {
    const float value = static_cast<float>(i % 100 - 50) / 4;
    wide.push_back(value);
    narrow.push_back(value);
    brain.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
  }
  const Sketch expected = of(narrow, DType::Float);
  for (const Sketch& sketch : {of(wide, DType::Double), of(brain, DType::BFloat16)}) {
    EXPECT_EQ(sketch.sums, expected.sums);
    EXPECT_EQ(sketch.sum_sq, expected.sum_sq);
  }
}

/// Old reports are compared with new ones, so these values must never change.
TEST(Sketch, IsTheSameInEveryVersion) {
  std::vector<float> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
  const Sketch sketch = of(values, DType::Float, 2 * kBlock);
  double weighted = 0.0;
  for (std::size_t i = 0; i < kSketchSums; ++i) weighted += static_cast<double>(i + 1) * sketch.sums[i];
  EXPECT_EQ(sketch.checksum, 2569672072385527808);
  EXPECT_EQ(sketch.sums[0], -43);
  EXPECT_EQ(sketch.sums[63], 42);
  EXPECT_EQ(weighted, -7762);
  EXPECT_EQ(sketch.sum_sq, 338350) << "all squares from 1 to 100";
  EXPECT_EQ(combined(1, 2), 7960286522194355702u);
}

TEST(Sketch, TakesTheLargestNumberForFinite) {
  const Sketch sketch = of(std::vector{std::numeric_limits<double>::max()}, DType::Double);
  EXPECT_EQ(sketch.nonfinite, 0);
  EXPECT_EQ(sketch.elements, 1);
  EXPECT_TRUE(std::isinf(sketch.sum_sq)) << "its square is not";
}

TEST(Sketch, OfPartsAddsUpWhatIsNotFinite) {
  const std::vector<float> values(70, std::numeric_limits<float>::infinity());
  Sketch sum = of(values, DType::Float);
  merge(sum, of(values, DType::Float, 2 * kBlock));
  EXPECT_EQ(sum.nonfinite, 140);
}

TEST(Sketch, OfWhatIsNoNumberIsAChecksum) {
  const Sketch sketch = of(std::vector<std::int32_t>{1, 2}, DType::Int32);
  EXPECT_EQ(sketch.elements, 2);
  EXPECT_NE(sketch.checksum, 0);
  EXPECT_EQ(sketch.sum_sq, 0);
}

TEST(Combined, MindsTheOrder) { EXPECT_NE(combined(combined(0, 1), 2), combined(combined(0, 2), 1)); }

TEST(ChecksumOf, WholeNumbersOfEachSize) {
  const std::vector<std::uint8_t> bytes{1, 2, 3, 4, 5, 6, 7, 8};
  for (const std::size_t bytes_each : {1UL, 2UL, 4UL, 8UL}) {
    std::vector<std::uint8_t> other = bytes;
    ++other[5];
    const std::size_t count = bytes.size() / bytes_each;
    EXPECT_NE(checksum_of(bytes.data(), count, bytes_each, 0), checksum_of(other.data(), count, bytes_each, 0));
  }
}

TEST(ChecksumOf, OddNumbersOfBytesCountsTheLast) {
  const std::vector<std::uint8_t> bytes{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(checksum_of(bytes.data(), 0, 1, 0), 0u);
  for (std::size_t count = 1; count <= bytes.size(); ++count) {
    std::vector<std::uint8_t> other = bytes;
    for (std::size_t behind = count; behind < bytes.size(); ++behind) other[behind] = 99;
    EXPECT_EQ(checksum_of(bytes.data(), count, 1, 64), checksum_of(other.data(), count, 1, 64)) << count;
    ++other[count - 1];
    EXPECT_NE(checksum_of(bytes.data(), count, 1, 64), checksum_of(other.data(), count, 1, 64)) << count;
  }
  EXPECT_EQ(checksum_of(bytes.data(), 7, 1, 64), 146686336124326144u) << "in every version";
}

}  // namespace sketch_test
}  // namespace ampprof::sketch

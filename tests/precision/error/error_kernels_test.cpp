// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <ostream>
#include <random>
#include <utility>
#include <vector>

#include "precision/error/kernels.h"
#include "precision/formats/types/widen.h"

namespace ampprof {
namespace error_kernels_test {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The definition, element by element, as in the documentation ---------------------------------------------------------

double ulp_at(double reference, DType dtype) {
  const auto [mantissa_bits, min_exponent] = error::spacing_of(dtype);
  const int exponent = reference == 0 ? min_exponent : std::max(std::ilogb(reference), min_exponent);
  return std::ldexp(1.0, exponent - mantissa_bits);
}

void add_error(ErrorStats& stats, double y, double r, DType dtype) {
  if (!std::isfinite(y) || !std::isfinite(r)) {
    ++stats.excluded;
    if (!std::isfinite(r)) return;
    ++stats.infinite;
    stats.max_abs = stats.max_ulp = std::numeric_limits<double>::infinity();
    return;
  }
  const double error = std::abs(y - r);
  const double ulps = error / ulp_at(r, dtype);
  ++stats.count;
  if (r != 0 && y == 0) ++stats.flushed;
  stats.max_abs = std::max(stats.max_abs, error);
  stats.max_ulp = std::max(stats.max_ulp, ulps);
  stats.sum_ulp += ulps;
  stats.sum_sq_error += error * error;
  stats.sum_sq_reference += r * r;
  stats.sum_sq_output += y * y;
  stats.sum_product += y * r;
}

void add_range(RangeStats& stats, double y, double r) {
  const double magnitude = std::abs(y);
  ++stats.count;
  if (!std::isfinite(y)) ++stats.nonfinite;
  if (std::isfinite(y)) stats.amax = std::max(stats.amax, magnitude);
  if (std::isfinite(y) && y != 0 && (stats.smallest == 0 || magnitude < stats.smallest)) stats.smallest = magnitude;
  if (std::isfinite(r)) stats.reference_amax = std::max(stats.reference_amax, std::abs(r));
  if (std::abs(r) >= 65520) ++stats.rounds_to_inf;
  if (r != 0 && std::abs(r) < 0x1p-14) ++stats.subnormal;
  if (r != 0 && std::abs(r) <= 0x1p-25) ++stats.rounds_to_zero;
}

void add_exponent(ExponentHistogram& exponents, double r) {
  if (r == 0 || !std::isfinite(r)) return;
  int exponent = 0;
  std::frexp(r, &exponent);
  ++exponents.counts[ExponentHistogram::bin_of(exponent)];
}

template <typename Y, typename R>
error::OutputStatistics by_definition(const std::vector<Y>& y, const std::vector<R>& r, DType dtype) {
  error::OutputStatistics measured{.local = ErrorStats{}};
  for (std::size_t i = 0; i < y.size(); ++i) {
    add_error(*measured.local, y[i], r[i], dtype);
    add_range(measured.ranges, y[i], r[i]);
    add_exponent(measured.exponents, r[i]);
    if (y[i] == -kInf) ++measured.minus_infinite;
  }
  return measured;
}

template <typename T>
error::Elements elements(const std::vector<T>& values) {
  return {values.data(), values.size(), sizeof(T) == 4 ? DType::Float : DType::Double};
}

// Allowed relative difference between the sums and the definition. In double, only the order of additions differs.
constexpr double kInDouble = 1e-12;
// With a float reference, the error of a pair is rounded to float, and so are sums of 256 pairs.
constexpr double kInFloat = 1e-6;

void expect_same(const error::OutputStatistics& actual, const error::OutputStatistics& expected, double tolerance) {
  ASSERT_TRUE(actual.local.has_value());
  EXPECT_EQ(actual.ranges, expected.ranges);
  EXPECT_EQ(actual.exponents, expected.exponents);
  EXPECT_EQ(actual.minus_infinite, expected.minus_infinite);
  const ErrorStats& a = *actual.local;
  const ErrorStats& e = *expected.local;
  EXPECT_EQ(a.count, e.count);
  EXPECT_EQ(a.excluded, e.excluded);
  EXPECT_EQ(a.infinite, e.infinite);
  EXPECT_EQ(a.flushed, e.flushed);
  const double rounding = tolerance == kInFloat ? 0x1p-24 : 0;
  const auto expect_near = [&](double largest, double right) {
    if (std::isfinite(right)) {
      EXPECT_NEAR(largest, right, rounding * right);
    } else {
      EXPECT_EQ(largest, right);
    }
  };
  expect_near(a.max_abs, e.max_abs);
  expect_near(a.max_ulp, e.max_ulp);
  const double scale = std::sqrt(e.sum_sq_output * e.sum_sq_reference);
  EXPECT_NEAR(a.sum_ulp, e.sum_ulp, tolerance * e.sum_ulp);
  EXPECT_NEAR(a.sum_sq_error, e.sum_sq_error, tolerance * e.sum_sq_error);
  EXPECT_NEAR(a.sum_sq_reference, e.sum_sq_reference, tolerance * e.sum_sq_reference);
  EXPECT_NEAR(a.sum_sq_output, e.sum_sq_output, tolerance * e.sum_sq_output);
  EXPECT_NEAR(a.sum_product, e.sum_product, tolerance * scale);
}

// Returns values of every size, sign and kind.
template <typename T>
std::vector<T> wild_values(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> kind(0, 40);
  std::uniform_real_distribution<double> mantissa(-2, 2);
  std::uniform_int_distribution<int> exponent(-40, 20);
  std::vector<T> values(size);
  for (T& value : values) {
    value = static_cast<T>(std::ldexp(mantissa(random), exponent(random)));
    switch (kind(random)) {
      case 0:
        value = static_cast<T>(kNan);
        break;
      case 1:
        value = static_cast<T>(-kInf);
        break;
      case 2:
        value = static_cast<T>(-0.0);
        break;
      case 3:
        value = std::numeric_limits<T>::denorm_min();
        break;
      default:
        break;
    }
  }
  return values;
}

/// Returns normal and subnormal values around a power of two, with some zeros.
std::vector<float> finite_values(std::size_t size, int exponent, int width) {
  std::mt19937 random(4);
  std::normal_distribution<double> mantissa;
  std::uniform_int_distribution<int> shift(-width / 2, width / 2);
  std::vector<float> values(size);
  for (float& value : values) {
    value = static_cast<float>(std::ldexp(mantissa(random), std::min(exponent + shift(random), 120)));
  }
  for (std::size_t i = 0; i < size; i += 11) values[i] = 0;
  return values;
}

struct Size {
  std::size_t size;
  DType dtype;
};

void PrintTo(const Size& size, std::ostream* out) {
  *out << size.size << " elements, type " << static_cast<int>(size.dtype);
}

constexpr error::cpu::InstructionSet kInstructionSets[]{
    error::cpu::InstructionSet::Baseline, error::cpu::InstructionSet::Avx2, error::cpu::InstructionSet::Avx512};

class ErrorKernels : public testing::TestWithParam<Size> {
 protected:
  template <typename Y, typename R>
  void check(const std::vector<Y>& y, const std::vector<R>& r, double tolerance) {
    const auto expected = by_definition(y, r, GetParam().dtype);
    for (const auto instructions : kInstructionSets) {
      if (instructions > error::cpu::best_instruction_set()) continue;
      SCOPED_TRACE("instruction set " + std::to_string(static_cast<int>(instructions)));
      expect_same(error::cpu::measure(elements(y), elements(r), error::spacing_of(GetParam().dtype), instructions),
                  expected, tolerance);
    }
  }

  template <typename Y, typename R>
  void check_wild() {
    constexpr bool kFloats = sizeof(Y) == 4 && sizeof(R) == 4;
    check(wild_values<Y>(GetParam().size, 1), wild_values<R>(GetParam().size, 2), kFloats ? kInFloat : kInDouble);
  }
};

TEST_P(ErrorKernels, MatchTheDefinitionForFloat) { check_wild<float, float>(); }
TEST_P(ErrorKernels, MatchTheDefinitionForFloatAgainstDouble) { check_wild<float, double>(); }
TEST_P(ErrorKernels, MatchTheDefinitionForDoubleAgainstFloat) { check_wild<double, float>(); }
TEST_P(ErrorKernels, MatchTheDefinitionForDouble) { check_wild<double, double>(); }

// Covers both paths of the float loop: values that it sums itself, and values that it leaves to the double loop.
TEST_P(ErrorKernels, MatchTheDefinitionForFiniteFloatsOfAnySize) {
  for (const int exponent : {0, -10, -35, -80, -120, 40, 70, 110}) {
    for (const int width : {1, 8, 45}) {
      SCOPED_TRACE("around 2^" + std::to_string(exponent) + ", width " + std::to_string(width));
      const auto r = finite_values(GetParam().size, exponent, width);
      auto y = r;
      for (std::size_t i = 0; i < y.size(); ++i) y[i] *= 1 + 0x1p-11F * static_cast<float>(i % 5);
      for (std::size_t i = 3; i < y.size(); i += 7) y[i] = 0;
      check(y, r, kInFloat);
    }
  }
}

TEST_P(ErrorKernels, FindNoErrorInACopy) {
  const auto values = finite_values(GetParam().size, 0, 8);
  const auto measured = error::cpu::measure(elements(values), elements(values), error::spacing_of(GetParam().dtype));
  EXPECT_EQ(measured.local->max_abs, 0);
  EXPECT_EQ(measured.local->sum_ulp, 0);
  EXPECT_EQ(measured.local->relative_l2(), 0);
}

TEST_P(ErrorKernels, RangesAloneTakeTheOutputForItsReference) {
  const auto y = wild_values<float>(GetParam().size, 3);
  error::OutputStatistics expected = by_definition(y, y, DType::Float);
  expected.local.reset();
  for (const auto instructions : kInstructionSets) {
    if (instructions > error::cpu::best_instruction_set()) continue;
    EXPECT_EQ(error::cpu::measure_ranges(elements(y), instructions), expected);
  }
}

TEST_P(ErrorKernels, OneValueThatIsNotFiniteIsSeenWhereverItIs) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const auto instructions : kInstructionSets) {
    if (instructions > error::cpu::best_instruction_set()) continue;
    std::vector<float> values(GetParam().size, -std::numeric_limits<float>::max());
    EXPECT_TRUE(error::cpu::are_finite(elements(values), instructions));
    for (std::size_t place = 0; place < values.size(); place += 1 + place / 3) {
      for (const float value : {kInf, -kInf, std::numeric_limits<float>::quiet_NaN()}) {
        const float before = std::exchange(values[place], value);
        EXPECT_FALSE(error::cpu::are_finite(elements(values), instructions)) << place;
        values[place] = before;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ErrorKernels,
                         testing::Values(Size{0, DType::Half}, Size{1, DType::Half}, Size{31, DType::Half},
                                         Size{32, DType::BFloat16}, Size{33, DType::Float}, Size{255, DType::Half},
                                         Size{256, DType::Float8E4M3}, Size{257, DType::Float8E5M2},
                                         Size{4095, DType::Half}, Size{4096, DType::BFloat16}, Size{4097, DType::Half},
                                         Size{8192, DType::BFloat16}, Size{8449, DType::Float},
                                         Size{100003, DType::Half}, Size{20000, DType::Double}),
                         [](const auto& info) { return std::to_string(info.index); });

// Single pairs --------------------------------------------------------------------------------------------------------

struct Pair {
  const char* name;
  float y;
  double r;
  DType dtype;
  double ulps;  ///< NaN if the pair is left out
  std::int64_t flushed = 0;
  std::int64_t rounds_to_inf = 0;
  std::int64_t subnormal = 0;
  std::int64_t rounds_to_zero = 0;
};

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.name; }

class ErrorOfOnePair : public testing::TestWithParam<Pair> {};

TEST_P(ErrorOfOnePair, IsAsDefined) {
  const Pair& pair = GetParam();
  const auto measured =
      error::cpu::measure({&pair.y, 1, DType::Float}, {&pair.r, 1, DType::Double}, error::spacing_of(pair.dtype));
  const bool is_infinite = !std::isfinite(pair.y) && std::isfinite(pair.r);
  EXPECT_EQ(measured.local->excluded, std::isnan(pair.ulps) ? 1 : 0);
  EXPECT_EQ(measured.local->infinite, is_infinite ? 1 : 0);
  EXPECT_EQ(measured.local->max_ulp, is_infinite             ? std::numeric_limits<double>::infinity()
                                     : std::isnan(pair.ulps) ? 0.0
                                                             : pair.ulps);
  EXPECT_EQ(measured.local->flushed, pair.flushed);
  EXPECT_EQ(measured.ranges.rounds_to_inf, pair.rounds_to_inf);
  EXPECT_EQ(measured.ranges.subnormal, pair.subnormal);
  EXPECT_EQ(measured.ranges.rounds_to_zero, pair.rounds_to_zero);
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, ErrorOfOnePair,
    testing::Values(Pair{"exact", 1, 1, DType::Half, 0}, Pair{"one_half_ulp_at_1", 1 + 0x1p-10F, 1, DType::Half, 1},
                    Pair{"half_ulp_just_below_1", 1, 1 - 0x1p-12, DType::Half, 0.5},
                    Pair{"half_ulp_of_the_sign", -2, 2, DType::Half, 2048},
                    Pair{"bf16_ulp_at_1", 1 + 0x1p-7F, 1, DType::BFloat16, 1},
                    Pair{"float_ulp_at_1", 1 + 0x1p-23F, 1, DType::Float, 1},
                    Pair{"subnormal_floor", 0x1p-24F, 0x1p-23, DType::Half, 1, 0, 0, 1, 0},
                    Pair{"reference_zero", 0x1p-24F, 0, DType::Half, 1},
                    Pair{"flushed", 0, 0x1p-20, DType::Half, 16, 1, 0, 1, 0},
                    Pair{"rounds_to_zero", 0, -0x1p-25, DType::Half, 0.5, 1, 0, 1, 1},
                    Pair{"just_above_rounding_to_zero", 0x1p-24F, 0x1.8p-25, DType::Half, 0.25, 0, 0, 1, 0},
                    Pair{"smallest_normal", 0x1p-14F, 0x1p-14, DType::Half, 0},
                    Pair{"largest_half", 65504, 65519, DType::Half, 15.0 / 32},
                    Pair{"overflowed", static_cast<float>(kInf), 65520, DType::Half, kNan, 0, 1},
                    Pair{"both_infinite", static_cast<float>(kInf), kInf, DType::Half, kNan, 0, 1},
                    Pair{"reference_nan", 1, kNan, DType::Half, kNan},
                    Pair{"output_nan", static_cast<float>(kNan), 1, DType::Half, kNan}),
    [](const auto& info) { return info.param.name; });

TEST(ErrorKernelsSplit, PartsMergeToTheWhole) {
  // The values are integers, so that sums are exact and can be compared with ==.
  const std::vector<float> y{1, 0, static_cast<float>(kInf), 5, -3, 7, 100000, 2};
  const std::vector<double> r{2, 4, 8, 5, 3, kNan, 100001, 2};
  const auto part = [&](std::size_t from, std::size_t to) {
    return error::cpu::measure(elements(y).part(from, to - from), elements(r).part(from, to - from),
                               error::spacing_of(DType::Float));
  };
  const error::OutputStatistics whole = part(0, y.size());
  for (std::size_t cut = 0; cut <= y.size(); ++cut) {
    error::OutputStatistics merged = part(0, cut);
    const error::OutputStatistics rest = part(cut, y.size());
    merged.merge(rest);
    EXPECT_EQ(merged, whole) << "cut at " << cut;
  }
}

// Widening ------------------------------------------------------------------------------------------------------------

double half_value(std::uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const int mantissa = half & 1023;
  const double sign = (half & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return mantissa == 0 ? sign * kInf : kNan;
  return sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25));
}

// The size is not a multiple of a vector's. The values are tested at eight alignments.
TEST(Widen, GivesEveryHalfItsValue) {
  for (const std::size_t start : {0, 1, 2, 3, 4, 5, 6, 7}) {
    std::vector<std::uint16_t> halves(65536 - 1);
    for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i + start * 8192);
    std::vector<float> wide(halves.size());
    error::cpu::widen_half(halves, wide.data());
    for (std::size_t i = 0; i < halves.size(); ++i) {
      const double expected = half_value(halves[i]);
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(wide[i])) << halves[i];
      } else {
        ASSERT_EQ(wide[i], expected) << halves[i];
        ASSERT_EQ(std::signbit(wide[i]), (halves[i] & 0x8000) != 0) << halves[i];
      }
    }
  }
}

TEST(Widen, GivesEveryHalfItsValueOneByOne) {
  for (int i = 0; i < 65536; ++i) {
    const auto half = static_cast<std::uint16_t>(i);
    float wide = 0;
    error::cpu::widen_half({&half, 1}, &wide);
    const double expected = half_value(half);
    ASSERT_TRUE(std::isnan(expected) ? std::isnan(wide) : wide == expected) << half;
  }
}

TEST(Widen, GivesBFloat16TheUpperHalfOfAFloat) {
  const std::vector<std::uint16_t> from{0x3f80, 0xc000, 0x0001, 0x7f80};
  std::vector<float> wide(from.size());
  error::cpu::widen_bfloat16(from, wide.data());
  EXPECT_EQ(wide, (std::vector<float>{1.0F, -2.0F, 0x1p-133F, static_cast<float>(kInf)}));
}

TEST(Widen, GivesEveryFloat8E4M3ItsValue) {
  std::vector<std::uint8_t> from(256);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::uint8_t>(i);
  std::vector<float> wide(from.size());
  error::cpu::widen_float8_e4m3(from, wide.data());
  EXPECT_EQ(wide[0x01], 0x1p-9F);
  EXPECT_EQ(wide[0x08], 0x1p-6F);
  EXPECT_EQ(wide[0x38], 1.0F);
  EXPECT_EQ(wide[0xbc], -1.5F);
  EXPECT_EQ(wide[0x7e], 448.0F);
  EXPECT_TRUE(std::isnan(wide[0x7f]) && std::isnan(wide[0xff]));
  for (std::size_t i = 1; i < 0x7f; ++i) EXPECT_LT(wide[i - 1], wide[i]);
}

TEST(Widen, GivesFloat8E5M2TheUpperHalfOfAHalf) {
  std::vector<std::uint8_t> from(256);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::uint8_t>(i);
  std::vector<float> wide(from.size());
  error::cpu::widen_float8_e5m2(from, wide.data());
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double expected = half_value(static_cast<std::uint16_t>(i << 8));
    EXPECT_TRUE(std::isnan(expected) ? std::isnan(wide[i]) : wide[i] == expected) << i;
  }
}

}  // namespace error_kernels_test
}  // namespace ampprof

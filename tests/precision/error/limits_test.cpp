// SPDX-License-Identifier: Apache-2.0
// Tests values, sizes and processor settings at their limits.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <ostream>
#include <vector>

#include "precision/error/kernels.h"
#include "precision/formats/types/round_cpu.h"
#include "precision/formats/types/widen.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ampprof::error {
namespace limits_test {

constexpr double kInf = std::numeric_limits<double>::infinity();

std::vector<cpu::InstructionSet> instruction_sets() {
  std::vector<cpu::InstructionSet> sets;
  for (const auto set : {cpu::InstructionSet::Baseline, cpu::InstructionSet::Avx2, cpu::InstructionSet::Avx512}) {
    if (set <= cpu::best_instruction_set()) sets.push_back(set);
  }
  return sets;
}

template <typename T>
Elements elements(const std::vector<T>& values) {
  return {values.data(), values.size(), sizeof(T) == 4 ? DType::Float : DType::Double};
}

/// Returns the values at the limits of FP16 and of the histogram's exponents, and their neighbours.
template <typename T>
std::vector<T> borders() {
  std::vector<T> all{0, std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::max(), static_cast<T>(kInf)};
  for (const double value :
       {0x1p-149, 0x1p-127, 0x1p-126, 0x1p-125, 0x1p-65, 0x1p-64, 0x1p-26, 0x1p-25, 0x1p-24, 0x1p-15, 0x1p-14,
        0x1p-13,  1.0,      0x1p15,   65504.0,  65520.0, 0x1p16,  0x1p17,  0x1p31,  0x1p32,  0x1p127}) {
    const T border = static_cast<T>(value);
    for (const T near : {std::nextafter(border, T(0)), border, std::nextafter(border, std::numeric_limits<T>::max())}) {
      all.push_back(near);
      all.push_back(-near);
    }
  }
  return all;
}

/// Returns the ranges of a single value by their definition.
OutputStatistics of_one(double value) {
  const double magnitude = std::abs(value);
  const bool is_finite = std::isfinite(value);
  const double finite = is_finite ? magnitude : 0.0;
  OutputStatistics one;
  one.ranges = {.count = 1,
                .nonfinite = is_finite ? 0 : 1,
                .amax = finite,
                .smallest = finite,
                .reference_amax = finite,
                .rounds_to_inf = magnitude >= 65520 ? 1 : 0,
                .subnormal = magnitude > 0 && magnitude < 0x1p-14 ? 1 : 0,
                .rounds_to_zero = magnitude > 0 && magnitude <= 0x1p-25 ? 1 : 0};
  one.minus_infinite = value == -kInf ? 1 : 0;
  int exponent = 0;
  std::frexp(value, &exponent);
  if (finite > 0) one.exponents.counts[ExponentHistogram::bin_of(exponent)] = 1;
  return one;
}

template <typename T>
void expect_ranges_of_borders() {
  OutputStatistics sum;
  for (const T value : borders<T>()) {
    const OutputStatistics expected = of_one(static_cast<double>(value));
    sum.merge(expected);
    for (const auto set : instruction_sets()) {
      EXPECT_EQ(cpu::measure_ranges(elements(std::vector<T>{value}), set), expected) << value;
      EXPECT_EQ(cpu::are_finite(elements(std::vector<T>{value}), set), expected.ranges.nonfinite == 0) << value;
    }
  }
  for (const auto set : instruction_sets()) EXPECT_EQ(cpu::measure_ranges(elements(borders<T>()), set), sum);
}

TEST(Ranges, AreExactAtTheBordersOfFp16) {
  expect_ranges_of_borders<float>();
  expect_ranges_of_borders<double>();
}

/// Returns every bit pattern of a narrow type, several times, so that the values fill several blocks.
template <typename Word>
std::vector<Word> patterns() {
  std::vector<Word> all(3 * 65536 + 5);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Word>(i * 7);
  return all;
}

template <typename Word, typename Widen>
void expect_statistics_of_widened(DType dtype, Widen widen) {
  const std::vector<Word> narrow = patterns<Word>();
  std::vector<float> wide(narrow.size());
  widen(narrow, wide.data());
  std::vector<double> reference(wide.begin(), wide.end());
  for (double& value : reference) value *= 1.25;
  const Elements output{narrow.data(), narrow.size(), dtype};
  EXPECT_EQ(cpu::measure_ranges(output), cpu::measure_ranges(elements(wide))) << short_name(dtype);
  EXPECT_EQ(cpu::measure(output, elements(reference), spacing_of(dtype)),
            cpu::measure(elements(wide), elements(reference), spacing_of(dtype)))
      << short_name(dtype);
}

TEST(NarrowOutputs, HaveTheStatisticsOfTheirValues) {
  expect_statistics_of_widened<std::uint16_t>(DType::Half, cpu::widen_half);
  expect_statistics_of_widened<std::uint16_t>(DType::BFloat16, cpu::widen_bfloat16);
  expect_statistics_of_widened<std::uint8_t>(DType::Float8E4M3, cpu::widen_float8_e4m3);
  expect_statistics_of_widened<std::uint8_t>(DType::Float8E5M2, cpu::widen_float8_e5m2);
}

template <typename Word, typename Widen>
void expect_no_write_behind(Widen widen) {
  constexpr float kSentinel = 12345.0F;
  for (std::size_t size = 0; size <= 40; ++size) {
    const std::vector<Word> from(size + 16, 0);
    std::vector<float> to(size + 16, kSentinel);
    widen(std::span(from).first(size), to.data());
    EXPECT_EQ(std::vector<float>(to.begin(), to.begin() + std::ptrdiff_t(size)), std::vector<float>(size, 0.0F));
    EXPECT_EQ(std::vector<float>(to.begin() + std::ptrdiff_t(size), to.end()), std::vector<float>(16, kSentinel));
  }
}

TEST(Widen, WritesNothingBehindItsEnd) {
  expect_no_write_behind<std::uint16_t>(cpu::widen_half);
  expect_no_write_behind<std::uint16_t>(cpu::widen_bfloat16);
  expect_no_write_behind<std::uint8_t>(cpu::widen_float8_e4m3);
  expect_no_write_behind<std::uint8_t>(cpu::widen_float8_e5m2);
}

struct Spaced {
  DType dtype;
  Spacing expected;
};

void PrintTo(const Spaced& row, std::ostream* out) { *out << short_name(row.dtype); }

class SpacingOf : public testing::TestWithParam<Spaced> {};

TEST_P(SpacingOf, IsThatOfTheType) { EXPECT_EQ(spacing_of(GetParam().dtype), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(Types, SpacingOf,
                         testing::Values(Spaced{DType::Half, {10, -14}}, Spaced{DType::BFloat16, {7, -126}},
                                         Spaced{DType::Float8E4M3, {3, -6}}, Spaced{DType::Float8E5M2, {2, -14}},
                                         Spaced{DType::Float, {23, -126}}, Spaced{DType::Int64, {23, -126}},
                                         Spaced{DType::Double, {52, -900}}),
                         [](const auto& info) { return std::string(short_name(info.param.dtype)); });

TEST(RoundTo, OverflowsFromHalfwayBeyondTheLargestValueOn) {
  const std::vector<float> from{65519, 65520, -65520, static_cast<float>(kInf)};
  std::vector<float> to(from.size());
  cpu::round_to(std::span<const float>(from), to.data(), WhatIfType::Half);
  constexpr auto kFloatInf = static_cast<float>(kInf);
  EXPECT_EQ(to, (std::vector<float>{65504, kFloatInf, -kFloatInf, kFloatInf}));
}

#if defined(__x86_64__)
TEST(InstructionSets, TheBestIsTheWidestThatTheProcessorHas) {
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  EXPECT_EQ(cpu::best_instruction_set(), has_avx512 ? cpu::InstructionSet::Avx512
                                         : has_avx2 ? cpu::InstructionSet::Avx2
                                                    : cpu::InstructionSet::Baseline);
}

/// Makes the processor treat subnormals as zero, as a program may with at::set_flush_denormal().
struct FlushedDenormals : testing::Test {
  FlushedDenormals() { _mm_setcsr(before_ | 0x8040); }
  ~FlushedDenormals() override { _mm_setcsr(before_); }

  unsigned before_ = _mm_getcsr();
};

TEST_F(FlushedDenormals, DoNotReachRoundingToBFloat16) {
  // Bits of 2^-130, and of a value that rounds up to 2^-127.
  const std::vector<std::uint32_t> from{0x00080000, 0x003fc000};
  std::vector<float> values{std::bit_cast<float>(from[0]), std::bit_cast<float>(from[1])};
  cpu::round_to(std::span<const float>(values), values.data(), WhatIfType::BFloat16);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(values[0]), 0x00080000U);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(values[1]), 0x00400000U);
}

TEST_F(FlushedDenormals, DoNotReachTheWideningOfHalves) {
  const std::vector<std::uint16_t> halves{0x0001, 0x03ff};
  std::vector<float> wide(halves.size());
  cpu::widen_half(halves, wide.data());
  EXPECT_EQ(wide, (std::vector<float>{0x1p-24F, 1023 * 0x1p-24F}));
}
#endif

}  // namespace limits_test
}  // namespace ampprof::error

// SPDX-License-Identifier: Apache-2.0
// Compares rounding to each type with its definition: the nearest multiple of the type's spacing, ties to even.
#include "precision/formats/types/round_cpu.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace ampprof::error {
namespace round_cpu_test {

constexpr float kSentinel = 12345.0F;

double by_definition(double value, const NumberFormat& format) {
  const double magnitude = std::abs(value);
  const double too_large = format.has_infinity ? std::numeric_limits<double>::infinity() : std::nan("");
  if (std::isnan(value)) return value;
  if (magnitude >= format.overflow) return std::copysign(too_large, value);
  if (magnitude == 0) return value;
  const int exponent = std::max(std::ilogb(magnitude), format.min_exponent);
  const double spacing = std::ldexp(1.0, exponent - format.mantissa_bits);
  return std::copysign(std::nearbyint(magnitude / spacing) * spacing, value);
}

/// Returns values on, beside and between the values of all formats, and some random ones.
template <typename T>
std::vector<T> values() {
  std::vector<T> all{0, std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN(),
                     std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::max()};
  for (int exponent = -150; exponent <= 127; ++exponent) {
    for (int sixteenths = 16; sixteenths < 32; ++sixteenths) {
      const T value = static_cast<T>(std::ldexp(sixteenths / 16.0, exponent));
      for (const T near : {value, std::nextafter(value, T(0)), std::nextafter(value, std::numeric_limits<T>::max())}) {
        all.push_back(near);
      }
    }
  }
  std::mt19937 dice(7);
  std::uniform_real_distribution<double> mantissas(1.0, 2.0);
  for (int i = 0; i < 4000; ++i) all.push_back(static_cast<T>(std::ldexp(mantissas(dice), i % 60 - 40)));
  const std::size_t count = all.size();
  for (std::size_t i = 0; i < count; ++i) all.push_back(-all[i]);
  return all;
}

template <typename T>
void expect_definition(WhatIfType type, cpu::InstructionSet instructions) {
  const std::vector<T> from = values<T>();
  std::vector<T> to(from.size() + 1, kSentinel);
  cpu::round_to(std::span<const T>(from), to.data(), type, instructions);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const T expected = static_cast<T>(by_definition(static_cast<double>(from[i]), format_of(type)));
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(to[i])) << from[i] << " became " << to[i];
    } else {
      ASSERT_EQ(to[i], expected) << "of " << from[i];
      ASSERT_EQ(std::signbit(to[i]), std::signbit(expected)) << "of " << from[i];
    }
  }
  EXPECT_EQ(to.back(), kSentinel) << "it writes behind its end";
}

TEST(RoundTo, IsTheNearestValueOfTheType) {
  for (const NumberFormat& format : kNumberFormats) {
    SCOPED_TRACE(format.name);
    for (const cpu::InstructionSet instructions : {cpu::InstructionSet::Baseline, cpu::best_instruction_set()}) {
      expect_definition<float>(*what_if_type(format.name), instructions);
      expect_definition<double>(*what_if_type(format.name), instructions);
    }
  }
}

}  // namespace round_cpu_test
}  // namespace ampprof::error

// SPDX-License-Identifier: Apache-2.0
#include "precision/error/differences.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "tests/precision/error/buffer.h"

namespace ampprof::error {
namespace differences_test {

using testing_buffer::Buffer;
using testing_buffer::Kind;

/// Rounds to nearest, ties to even, by the textbook definition.
float to_bfloat16(float value) {
  if (!std::isfinite(value) || value == 0.0F) return value;
  const float spacing = std::max(std::ldexp(1.0F, std::ilogb(value) - 7), 0x1p-133F);
  const double rounded = std::nearbyint(static_cast<double>(value) / spacing) * spacing;
  return std::abs(rounded) < 0x1p128 ? static_cast<float>(rounded) : std::copysign(INFINITY, value);
}

float expected_of(float a, float b) { return std::isinf(a) && a == b ? 0.0F : to_bfloat16(a - b); }

class DifferenceOf : public testing::TestWithParam<DType> {};

TEST_P(DifferenceOf, IsThatOfFloatsRoundedOnce) {
  for (const Kind kind : {Kind::Plain, Kind::Wild, Kind::Huge, Kind::Tiny}) {
    for (const std::size_t size : testing_buffer::kSizes) {
      Buffer a(GetParam(), size, size % 3), b(DType::Float, size, 1);
      fill(a, b, kind, static_cast<unsigned>(size));
      const auto of_a = a.values(), of_b = b.values();
      for (const auto set : {cpu::InstructionSet::Baseline, cpu::InstructionSet::Avx2, cpu::InstructionSet::Avx512}) {
        if (set > cpu::best_instruction_set()) continue;
        std::vector<std::uint16_t> found(size);
        cpu::difference(a.elements(), b.elements(), found.data(), set);
        for (std::size_t i = 0; i < size; ++i) {
          const auto value = std::bit_cast<float>(std::uint32_t{found[i]} << 16);
          const float expected = expected_of(static_cast<float>(of_a[i]), static_cast<float>(of_b[i]));
          if (std::isnan(expected)) {
            EXPECT_TRUE(std::isnan(value)) << of_a[i] << " - " << of_b[i];
          } else {
            EXPECT_EQ(value, expected) << of_a[i] << " - " << of_b[i];
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, DifferenceOf, testing::Values(DType::Float, DType::Half, DType::BFloat16));

TEST(DifferenceOf, IsNoneOfTheSameInfinity) {
  Buffer a(DType::Float, 3, 0), b(DType::Float, 3, 0);
  a.set(0, -INFINITY), b.set(0, -INFINITY);
  a.set(1, INFINITY), b.set(1, -INFINITY);
  a.set(2, 1.0), b.set(2, -INFINITY);
  std::uint16_t found[3];
  cpu::difference(a.elements(), b.elements(), found);
  EXPECT_EQ(found[0], 0);
  EXPECT_EQ(found[1], 0x7f80);
  EXPECT_EQ(found[2], 0x7f80);
}

}  // namespace differences_test
}  // namespace ampprof::error

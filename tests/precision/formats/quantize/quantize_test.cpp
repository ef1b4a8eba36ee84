// SPDX-License-Identifier: Apache-2.0
// Compares quantizers with their definition, bit by bit, over shapes, strides, instruction sets and special values.
#include "precision/formats/quantize/quantize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "precision/formats/quantize/non_temporal.h"
#include "precision/formats/recipes/recipe.h"
#include "tests/precision/formats/quantize/plain.h"

namespace ampprof::quantize {
namespace quantize_test {

using plain::kInf;
using plain::kQuietNaN;
using plain::operand_of;
using plain::Values;
using recipes::Direction;
using recipes::Operand;

constexpr float kSentinel = 12345.0F;

/// A matrix with a gap after each row. Checks include the values in the gap.
struct Strided {
  std::int64_t stride;
  std::vector<float> data;

  Strided(std::int64_t rows, std::int64_t stride_of_rows)
      : stride(stride_of_rows), data(static_cast<std::size_t>(rows * stride_of_rows) + 1, kSentinel) {}

  float& at(std::int64_t row, std::int64_t column) { return data[static_cast<std::size_t>(row * stride + column)]; }
};

enum class Kind { Normal, Wide, Wild, Tiny, Huge, Ties };

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}

  float value(Kind kind) {
    const float normal = normal_(engine_);
    switch (kind) {
      case Kind::Normal:
        return normal;
      case Kind::Wide:
        return std::ldexp(normal, below(80) - 40);
      case Kind::Wild:
        return wild(normal);
      case Kind::Tiny:
        return std::ldexp(normal, -below(30) - 118);
      case Kind::Huge:
        return std::ldexp(normal, 124 + below(3));
      case Kind::Ties:
        return std::ldexp(static_cast<float>(below(33) - 16), below(10) - 5);
    }
    return 0;
  }

  int below(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }

 private:
  float wild(float normal) {
    constexpr std::array kWild{0.0F,      -0.0F,      kInf,   -kInf,  kQuietNaN,
                               0x1p-149F, -0x1p-126F, 448.0F, 464.0F, 0x1.fffffep127F};
    return below(20) == 0 ? kWild[static_cast<std::size_t>(below(kWild.size()))] : std::ldexp(normal, below(20) - 10);
  }

  std::mt19937 engine_;
  std::normal_distribution<float> normal_;
};

Values random_values(std::int64_t rows, std::int64_t columns, Kind kind, unsigned seed) {
  Values values{rows, columns, std::vector<float>(static_cast<std::size_t>(rows * columns))};
  Dice dice(seed);
  for (float& value : values.data) value = dice.value(kind);
  if (kind == Kind::Wild && columns > 40) {  // a block of zeros, and one of equal values
    for (std::int64_t i = 0; i < 16; ++i) values.at(0, i) = 0;
    for (std::int64_t i = 0; i < 16; ++i) values.at(0, 16 + i) = 0.3F;
  }
  return values;
}

bool same_bits(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

void expect_same(const OperandRounding& actual, const OperandRounding& expected) {
  EXPECT_EQ(actual.count, expected.count);
  EXPECT_EQ(actual.nonfinite, expected.nonfinite);
  EXPECT_EQ(actual.flushed, expected.flushed);
  EXPECT_EQ(actual.saturated, expected.saturated);
  EXPECT_EQ(actual.amax, expected.amax);
  EXPECT_NEAR(actual.sum_sq, expected.sum_sq, 1e-6 * expected.sum_sq);
  EXPECT_NEAR(actual.sum_sq_error, expected.sum_sq_error, 1e-6 * expected.sum_sq_error + 1e-13 * expected.sum_sq);
}

/// Compares one call with the definition.
void check(const Values& values, const Operand& operand, Direction direction, const Settings& settings,
           std::int64_t gap) {
  Strided from(values.rows, values.columns + gap);
  Strided to(values.rows, values.columns + gap + 3);
  for (std::int64_t row = 0; row < values.rows; ++row) {
    for (std::int64_t column = 0; column < values.columns; ++column) from.at(row, column) = values.at(row, column);
  }
  const Matrix matrix{from.data.data(), DType::Float, values.rows, values.columns, from.stride};
  const auto statistics = cpu::quantize(matrix, {to.data.data(), to.stride}, operand, direction, settings);
  const plain::Quantized expected = plain::quantize(values, operand, direction, settings);
  for (std::int64_t row = 0; row < values.rows; ++row) {
    for (std::int64_t column = 0; column < to.stride; ++column) {
      const float right = column < values.columns ? expected.values.at(row, column) : kSentinel;
      ASSERT_TRUE(same_bits(to.at(row, column), right))
          << "at " << row << ", " << column << ": " << to.at(row, column) << " in place of " << right;
    }
  }
  EXPECT_EQ(to.data.back(), kSentinel) << "it writes behind its end";
  expect_same(statistics, expected.statistics);
}

struct Case {
  const char* name;
  const char* operand;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class Quantize : public testing::TestWithParam<Case> {
 protected:
  static void check_kinds(std::int64_t rows, std::int64_t columns, unsigned seed, error::cpu::InstructionSet set) {
    const Operand operand = operand_of(GetParam().operand);
    for (const Kind kind : {Kind::Normal, Kind::Wide, Kind::Wild, Kind::Tiny, Kind::Huge, Kind::Ties}) {
      const Values values = random_values(rows, columns, kind, seed);
      for (const Direction direction : {Direction::Rowwise, Direction::Columnwise}) {
        SCOPED_TRACE(testing::Message() << rows << "x" << columns << ", kind " << static_cast<int>(kind)
                                        << ", direction " << static_cast<int>(direction) << ", set "
                                        << static_cast<int>(set));
        Settings settings{.random = {.seed = seed, .stream = 3}, .hadamard_signs = 0x5a3c, .instructions = set};
        // An amax below the true one makes some values saturate.
        const bool is_above = operand.scale == recipes::Scale::BlockE4M3;
        if (operand.scale == recipes::Scale::TensorDelayed || (is_above && seed % 2 != 0)) settings.amax = 0.5F;
        check(values, operand, direction, settings, seed % 4);
      }
    }
  }
};

TEST_P(Quantize, IsItsDefinition) {
  Dice dice(1);
  for (unsigned round = 0; round < 4; ++round) {
    check_kinds(dice.below(40) + 1, dice.below(150) + 1, round, error::cpu::best_instruction_set());
  }
  check_kinds(1, 1, 5, error::cpu::best_instruction_set());
  check_kinds(3, 1100, 6, error::cpu::best_instruction_set());
  check_kinds(140, 35, 7, error::cpu::best_instruction_set());
}

TEST_P(Quantize, IsTheSameWithEveryInstructionSet) {
  check_kinds(17, 83, 9, error::cpu::InstructionSet::Baseline);
  if (error::cpu::best_instruction_set() != error::cpu::InstructionSet::Baseline) {
    check_kinds(17, 83, 9, error::cpu::InstructionSet::Avx2);
  }
}

TEST_P(Quantize, TakesPartsForTheWhole) {
  const Operand operand = operand_of(GetParam().operand);
  for (const Direction direction : {Direction::Rowwise, Direction::Columnwise}) {
    const std::int64_t part = cpu::rows_of_part(operand, direction);
    const Values values = random_values(2 * part + 1, 37, Kind::Normal, 11);
    const Matrix whole{values.data.data(), DType::Float, values.rows, values.columns, values.columns};
    Settings settings{.random = {.seed = 5}, .hadamard_signs = 0x0f31};
    settings.amax = cpu::amax(whole, operand, direction, settings);
    std::vector<float> at_once(values.data.size());
    std::vector<float> in_parts(values.data.size());
    const auto expected = cpu::quantize(whole, {at_once.data(), 37}, operand, direction, settings);
    OperandRounding merged;
    for (std::int64_t row = 0; row < values.rows; row += part) {
      settings.first_row = row;
      const Matrix lines{values.data.data() + row * 37, DType::Float, std::min(part, values.rows - row), 37, 37};
      merged.merge(cpu::quantize(lines, {in_parts.data() + row * 37, 37}, operand, direction, settings));
    }
    EXPECT_EQ(in_parts, at_once);
    expect_same(merged, expected);
  }
}

TEST_P(Quantize, WidensBFloat16) {
  const Operand operand = operand_of(GetParam().operand);
  Values values = random_values(33, 70, Kind::Wide, 21);
  std::vector<std::uint16_t> narrow;
  for (float& value : values.data) {
    narrow.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
    value = std::bit_cast<float>(std::uint32_t{narrow.back()} << 16);
  }
  const Settings settings{.random = {.seed = 8}, .hadamard_signs = 0x1234};
  for (const Direction direction : {Direction::Rowwise, Direction::Columnwise}) {
    std::vector<float> from_float(values.data.size());
    std::vector<float> from_narrow(values.data.size());
    cpu::quantize({values.data.data(), DType::Float, 33, 70, 70}, {from_float.data(), 70}, operand, direction,
                  settings);
    cpu::quantize({narrow.data(), DType::BFloat16, 33, 70, 70}, {from_narrow.data(), 70}, operand, direction, settings);
    EXPECT_EQ(from_narrow, from_float);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Operands, Quantize,
    testing::Values(Case{"fp16", "fp16"}, Case{"bf16", "bf16"}, Case{"tf32", "tf32"},
                    Case{"current_e4m3", "fp8e4m3 scale tensor"}, Case{"current_e5m2", "fp8e5m2 scale tensor"},
                    Case{"delayed_e4m3", "fp8e4m3 scale tensor_delayed history 4"},
                    Case{"block_fp32", "fp8e4m3 scale block_fp32 block 1x128"},
                    Case{"blockwise_line", "fp8e4m3 scale block_power_of_two block 1x128"},
                    Case{"blockwise_square", "fp8e4m3 scale block_power_of_two block 128x128"},
                    Case{"mxfp8", "fp8e4m3 scale block_e8m0 block 1x32"},
                    Case{"mxfp8_e5m2", "fp8e5m2 scale block_e8m0 block 1x32 round stochastic"},
                    Case{"mxfp4", "fp4e2m1 scale block_e8m0 block 1x32"},
                    Case{"nvfp4", "fp4e2m1 scale block_e4m3 block 1x16"},
                    Case{"nvfp4_square", "fp4e2m1 scale block_e4m3 block 16x16"},
                    Case{"nvfp4_stochastic", "fp4e2m1 scale block_e4m3 block 1x16 round stochastic"},
                    Case{"nvfp4_hadamard", "fp4e2m1 scale block_e4m3 block 1x16 transform hadamard"},
                    Case{"nvfp4_both", "fp4e2m1 scale block_e4m3 block 1x16 round stochastic transform hadamard"},
                    Case{"stochastic_e4m3", "fp8e4m3 scale tensor round stochastic transform hadamard"},
                    Case{"odd_block", "fp4e2m1 scale block_e4m3 block 3x7 transform hadamard"}),
    [](const auto& info) { return info.param.name; });

// If amax is one ulp above 448 · 2^k, the scale is 2^(k + 1), and 3 · 2^(k - 9) lies between two values.
TEST(E8M0Scale, IsRoundedUp) {
  const Operand operand = operand_of("fp8e4m3 scale block_e8m0 block 1x32");
  for (int k = -100; k <= 100; k += 10) {
    const float largest = std::ldexp(448.0F, k);
    std::vector<float> values{largest, std::ldexp(3.0F, k - 9)};
    std::vector<float> to(2);
    const auto run = [&] {
      cpu::quantize({values.data(), DType::Float, 1, 2, 2}, {to.data(), 2}, operand, Direction::Rowwise);
    };
    run();
    EXPECT_EQ(to, values) << "the scale is 2^" << k;
    values[0] = std::nextafter(largest, kInf);
    run();
    EXPECT_EQ(to, (std::vector<float>{largest, std::ldexp(4.0F, k - 9)})) << "the scale is 2^" << k + 1;
  }
}

TEST(PastCache, CopiesWhatItIsGiven) {
  std::vector<float> from(64);
  std::iota(from.begin(), from.end(), 1.0F);
  for (std::size_t shift = 0; shift < 5; ++shift) {
    for (const std::size_t size : {0U, 1U, 2U, 3U, 4U, 7U, 31U, 50U}) {
      std::vector<float> to(64, kSentinel);
      copy_past_cache(from.data() + 1, size, to.data() + shift);
      finish_copies_past_cache();
      std::vector<float> expected(64, kSentinel);
      std::copy_n(from.begin() + 1, size, expected.begin() + static_cast<std::ptrdiff_t>(shift));
      EXPECT_EQ(to, expected);
    }
  }
}

// Writes of more than four million elements bypass the cache. Writes of their parts do not.
TEST(PastCache, HoldsWhatTheCacheWould) {
  constexpr std::int64_t kRows = 2080;
  constexpr std::int64_t kColumns = 2027;
  const Operand operand = operand_of("fp8e4m3 scale block_e8m0 block 1x32");
  std::vector<float> values(kRows * kColumns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 7919 % 10007) - 5000.0F;
  std::vector<float> whole(values.size());
  std::vector<float> in_parts(values.size());
  const auto quantize = [&](std::int64_t row, std::int64_t rows, std::vector<float>& to) {
    return cpu::quantize({values.data() + row * kColumns, DType::Float, rows, kColumns, kColumns},
                         {to.data() + row * kColumns, kColumns}, operand, Direction::Columnwise);
  };
  const OperandRounding at_once = quantize(0, kRows, whole);
  OperandRounding merged = quantize(0, 1024, in_parts);
  merged.merge(quantize(1024, kRows - 1024, in_parts));
  EXPECT_TRUE(whole == in_parts);
  expect_same(at_once, merged);
}

}  // namespace quantize_test
}  // namespace ampprof::quantize

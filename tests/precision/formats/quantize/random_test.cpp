// SPDX-License-Identifier: Apache-2.0
// Tests random numbers and transforms against known answers and expected properties.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "precision/formats/quantize/quantize.h"
#include "tests/precision/formats/quantize/plain.h"

namespace ampprof::quantize {
namespace random_test {

using recipes::Direction;
using recipes::Operand;

void expect_words(const Words& words, std::array<std::uint32_t, 4> expected) {
  EXPECT_EQ((std::array{words.a, words.b, words.c, words.d}), expected);
}

// Answers from the tests of Random123, a library by the authors of Philox.
TEST(Philox, GivesItsKnownAnswers) {
  expect_words(philox({0, 0, 0, 0}, 0), {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  expect_words(philox({~0U, ~0U, ~0U, ~0U}, ~0ULL), {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  expect_words(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
               {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST(StochasticRounding, IsRightInTheMean) {
  constexpr std::int64_t kCount = 1 << 16;
  const Operand operand{.element = recipes::Element::Float4E2M1,
                        .scale = recipes::Scale::TensorDelayed,
                        .history = 1,
                        .rounding = recipes::Rounding::Stochastic};
  for (const float value : {0.1F, 0.3F, 1.2F, -2.7F, 4.1F, 5.9F}) {
    const std::vector<float> from(kCount, value);
    std::vector<float> to(kCount);
    // An amax of 6 gives the scale 1, so that the two neighbours of a value are E2M1 values.
    cpu::quantize({from.data(), DType::Float, 1, kCount, kCount}, {to.data(), kCount}, operand, Direction::Rowwise,
                  {.amax = 6.0F, .random = {.seed = 17}});
    double sum = 0;
    for (const float rounded : to) sum += static_cast<double>(rounded);
    const double spacing = plain::spacing_at(std::abs(static_cast<double>(value)), recipes::kFloat4E2M1);
    EXPECT_NEAR(sum / kCount, static_cast<double>(value), 5 * spacing / 2 / std::sqrt(kCount)) << "5 standard errors";
  }
}

TEST(StochasticRounding, LeavesWhatTheTypeHas) {
  const std::vector<float> values{0.0F, 0.5F, -1.0F, 1.5F, 2.0F, -3.0F, 4.0F, 6.0F};
  std::vector<float> to(8);
  const Operand operand{.element = recipes::Element::Float4E2M1,
                        .scale = recipes::Scale::Tensor,
                        .rounding = recipes::Rounding::Stochastic};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    cpu::quantize({values.data(), DType::Float, 2, 4, 4}, {to.data(), 4}, operand, Direction::Rowwise,
                  {.random = {.seed = seed}});
    EXPECT_EQ(to, values);
  }
}

TEST(StochasticRounding, DependsOnSeedAndStream) {
  const std::vector<float> values(256, 0.7F);
  const Operand operand{.element = recipes::Element::Float4E2M1,
                        .scale = recipes::Scale::TensorDelayed,
                        .history = 1,
                        .rounding = recipes::Rounding::Stochastic};
  const auto with = [&](RandomKey key) {
    std::vector<float> to(256);
    cpu::quantize({values.data(), DType::Float, 16, 16, 16}, {to.data(), 16}, operand, Direction::Rowwise,
                  {.amax = 6.0F, .random = key});
    return to;
  };
  EXPECT_EQ(with({1, 2}), with({1, 2}));
  EXPECT_NE(with({1, 2}), with({2, 2}));
  EXPECT_NE(with({1, 2}), with({1, 3}));
}

struct Product {
  std::int64_t rows, columns;
  std::vector<float> values, transformed;
};

/// Returns a matrix whose lines of 16 values along `direction` are transformed.
Product transformed(Direction direction, std::uint16_t signs) {
  Product product{direction == Direction::Rowwise ? 19 : 16, direction == Direction::Rowwise ? 16 : 19, {}, {}};
  std::mt19937 dice(3);
  std::normal_distribution<float> normal;
  for (std::int64_t i = 0; i < product.rows * product.columns; ++i) product.values.push_back(normal(dice));
  product.transformed.resize(product.values.size());
  cpu::hadamard({product.values.data(), DType::Float, product.rows, product.columns, product.columns},
                {product.transformed.data(), product.columns}, direction, signs);
  return product;
}

// Sylvester: the element in row i and column j of H₁₆ is (-1)^(number of common 1 bits of i and j).
TEST(Hadamard, IsTheProductWithItsMatrix) {
  constexpr std::uint16_t kSigns = 0x93c5;
  for (const Direction direction : {Direction::Rowwise, Direction::Columnwise}) {
    const Product product = transformed(direction, kSigns);
    const bool is_rowwise = direction == Direction::Rowwise;
    for (std::int64_t line = 0; line < 19; ++line) {
      const auto place = [&](unsigned i) {
        return static_cast<std::size_t>(is_rowwise ? line * 16 + static_cast<std::int64_t>(i)
                                                   : static_cast<std::int64_t>(i) * 19 + line);
      };
      for (unsigned j = 0; j < 16; ++j) {
        double sum = 0;
        for (unsigned i = 0; i < 16; ++i) {
          const double sign = (std::popcount(i & j) + (kSigns >> i)) % 2 != 0 ? -0.25 : 0.25;
          sum += sign * static_cast<double>(product.values[place(i)]);
        }
        EXPECT_NEAR(static_cast<double>(product.transformed[place(j)]), sum, 2e-6);
      }
    }
  }
}

TEST(Hadamard, IsUndoneByItsInverse) {
  for (const Direction direction : {Direction::Rowwise, Direction::Columnwise}) {
    Product product = transformed(direction, 0x93c5);
    std::vector<float> back(product.values.size());
    cpu::inverse_hadamard({product.transformed.data(), DType::Float, product.rows, product.columns, product.columns},
                          {back.data(), product.columns}, direction, 0x93c5);
    for (std::size_t i = 0; i < back.size(); ++i) EXPECT_NEAR(back[i], product.values[i], 2e-6);
  }
}

TEST(Hadamard, SpreadsAnOutlierOverItsTile) {
  std::vector<float> values(32, 0.0F);
  values[5] = 4.0F;
  std::vector<float> to(32);
  cpu::hadamard({values.data(), DType::Float, 1, 32, 32}, {to.data(), 32}, Direction::Rowwise, 0);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(std::abs(to[i]), i < 16 ? 1.0F : 0.0F);
}

TEST(Quantized, SaysWhatWasLost) {
  // An amax of 448 gives the scale 1: 500 saturates, 2^-12 is flushed, 17 becomes 16.
  const std::vector<float> values{500.0F, 0x1p-12F, 17.0F, plain::kInf, plain::kQuietNaN, 0.0F};
  std::vector<float> to(6);
  const Operand operand{.element = recipes::Element::Float8E4M3, .scale = recipes::Scale::TensorDelayed, .history = 1};
  const auto statistics = cpu::quantize({values.data(), DType::Float, 1, 6, 6}, {to.data(), 6}, operand,
                                        Direction::Rowwise, {.amax = 448.0F});
  EXPECT_EQ(to[0], 448.0F);
  EXPECT_EQ(to[1], 0.0F);
  EXPECT_EQ(to[2], 16.0F);
  EXPECT_EQ(to[3], 448.0F);
  EXPECT_TRUE(std::isnan(to[4]));
  const double lost = 52.0 * 52 + 0x1p-24 + 1;
  const double all = 500.0 * 500 + 0x1p-24 + 17 * 17;
  EXPECT_EQ(statistics, (OperandRounding{.count = 6,
                                         .nonfinite = 2,
                                         .flushed = 1,
                                         .saturated = 2,
                                         .amax = static_cast<double>(plain::kInf),
                                         .sum_sq = all,
                                         .sum_sq_error = lost}));
  EXPECT_DOUBLE_EQ(statistics.sqnr_db().value(), 10 * std::log10(all / lost));
}

}  // namespace random_test
}  // namespace ampprof::quantize

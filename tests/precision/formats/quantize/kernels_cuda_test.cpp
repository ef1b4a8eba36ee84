// SPDX-License-Identifier: Apache-2.0
// Compares the CUDA kernels of quantizers, run on the CPU, with their definition, bit by bit.
#include "precision/formats/quantize/kernels_cuda.h"

#include <gtest/gtest.h>

#include <ostream>
#include <random>

#include "tests/precision/formats/quantize/plain.h"

namespace ampprof::quantize {
namespace kernels_cuda_test {

using plain::operand_of;
using plain::Values;
using recipes::Direction;
using recipes::Operand;

constexpr float kSentinel = 12345.0F;

/// Returns values of many magnitudes. One in 40 is a special value.
Values wild_values(std::int64_t rows, std::int64_t columns, unsigned seed) {
  constexpr std::array kSpecial{0.0F, -0.0F, plain::kInf, -plain::kInf, plain::kQuietNaN, 0x1p-149F, 448.0F, 464.0F};
  std::mt19937 dice(seed);
  std::normal_distribution<float> normal;
  Values values{rows, columns, {}};
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    const bool is_special = dice() % 40 == 0;
    const float value = std::ldexp(normal(dice), static_cast<int>(dice() % 16U) - 8);
    values.data.push_back(is_special ? kSpecial[dice() % kSpecial.size()] : value);
  }
  return values;
}

struct Case {
  const char* name;
  const char* operand;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class CudaQuantize : public testing::TestWithParam<Case> {};

void expect_same(const OperandRounding& actual, const OperandRounding& expected) {
  EXPECT_EQ(actual.count, expected.count);
  EXPECT_EQ(actual.nonfinite, expected.nonfinite);
  EXPECT_EQ(actual.flushed, expected.flushed);
  EXPECT_EQ(actual.saturated, expected.saturated);
  EXPECT_EQ(actual.amax, expected.amax);
  EXPECT_NEAR(actual.sum_sq, expected.sum_sq, 1e-12 * expected.sum_sq);
  EXPECT_NEAR(actual.sum_sq_error, expected.sum_sq_error, 1e-12 * expected.sum_sq_error);
}

void check(const Values& values, const Operand& operand, Direction direction) {
  Settings settings{.random = {.seed = 4, .stream = 9}, .hadamard_signs = 0x5a3c};
  const Matrix from{values.data.data(), DType::Float, values.rows, values.columns, values.columns};
  float amax = 0;
  EXPECT_EQ(cuda::launch_amax(from, operand, direction, settings, &amax, 0, nullptr), "");
  EXPECT_EQ(amax, cpu::amax(from, operand, direction, settings));
  const std::int64_t stride = values.columns + 3;
  std::vector<float> to(static_cast<std::size_t>(values.rows * stride), kSentinel);
  cuda::DeviceStatistics found{};
  EXPECT_EQ(cuda::launch_quantize(from, {to.data(), stride}, operand, direction, settings, &amax, &found, 0, nullptr),
            "");
  settings.amax = amax;
  const plain::Quantized expected = plain::quantize(values, operand, direction, settings);
  for (std::int64_t row = 0; row < values.rows; ++row) {
    for (std::int64_t column = 0; column < stride; ++column) {
      const float actual = to[static_cast<std::size_t>(row * stride + column)];
      const float right = column < values.columns ? expected.values.at(row, column) : kSentinel;
      const bool is_same = std::isnan(right)
                               ? std::isnan(actual)
                               : std::bit_cast<std::uint32_t>(actual) == std::bit_cast<std::uint32_t>(right);
      ASSERT_TRUE(is_same) << "at " << row << ", " << column << ": " << actual << " in place of " << right;
    }
  }
  expect_same(cuda::statistics_from(found), expected.statistics);
}

TEST_P(CudaQuantize, IsItsDefinition) {
  const Operand operand = operand_of(GetParam().operand);
  for (const auto& [rows, columns] : {std::pair{1, 1}, {5, 75}, {37, 21}, {40, 48}}) {
    for (const Direction direction : {Direction::Rowwise, Direction::Columnwise}) {
      SCOPED_TRACE(testing::Message() << rows << "x" << columns << ", direction " << static_cast<int>(direction));
      check(wild_values(rows, columns, static_cast<unsigned>(rows)), operand, direction);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Operands, CudaQuantize,
    testing::Values(Case{"current", "fp8e4m3 scale tensor"}, Case{"e5m2", "fp8e5m2 scale tensor round stochastic"},
                    Case{"delayed", "fp8e4m3 scale tensor_delayed history 4"},
                    Case{"block_fp32", "fp8e4m3 scale block_fp32 block 1x128"},
                    Case{"blockwise_line", "fp8e4m3 scale block_power_of_two block 1x128"},
                    Case{"blockwise_square", "fp8e4m3 scale block_power_of_two block 128x128"},
                    Case{"mxfp8", "fp8e4m3 scale block_e8m0 block 1x32"},
                    Case{"nvfp4", "fp4e2m1 scale block_e4m3 block 1x16"},
                    Case{"nvfp4_square", "fp4e2m1 scale block_e4m3 block 16x16"},
                    Case{"nvfp4_stochastic", "fp4e2m1 scale block_e4m3 block 1x16 round stochastic"},
                    Case{"nvfp4_both", "fp4e2m1 scale block_e4m3 block 1x16 round stochastic transform hadamard"},
                    Case{"current_hadamard", "fp8e4m3 scale tensor transform hadamard"}),
    [](const auto& info) { return info.param.name; });

TEST(CudaQuantizeLaunch, SaysWhatItHasNoKernelFor) {
  float value = 1;
  cuda::DeviceStatistics found{};
  const auto launched = [&](std::string_view operand) {
    return cuda::launch_quantize({&value, DType::Float, 1, 1, 1}, {&value, 1}, operand_of(operand), Direction::Rowwise,
                                 {}, &value, &found, 0, nullptr);
  };
  EXPECT_EQ(launched("bf16"), "An operand without a scale is only cast, and ampprof has no kernel for casts.");
  EXPECT_EQ(launched("fp4e2m1 scale block_e8m0 block 1x32 transform hadamard"),
            "A transform works only along blocks of 16. Use such blocks, or the CPU.");
  EXPECT_EQ(found.count, 0U);
}

TEST(CudaQuantizeLaunch, WidensBFloat16) {
  const std::vector<std::uint16_t> narrow{0x3f80, 0xc040, 0x4188};  // 1, -3, 17
  std::vector<float> to(3);
  const float amax = 448;
  cuda::DeviceStatistics found{};
  EXPECT_EQ(
      cuda::launch_quantize({narrow.data(), DType::BFloat16, 1, 3, 3}, {to.data(), 3},
                            operand_of("fp8e4m3 scale tensor"), Direction::Rowwise, {}, &amax, &found, 0, nullptr),
      "");
  EXPECT_EQ(to, (std::vector<float>{1, -3, 16}));
}

}  // namespace kernels_cuda_test
}  // namespace ampprof::quantize

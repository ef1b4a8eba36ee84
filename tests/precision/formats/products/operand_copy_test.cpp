// SPDX-License-Identifier: Apache-2.0
// Compares copies of tensors with quantize's definition, bit by bit: types, strides, batches, and lost values.
#include "precision/formats/products/operand_copy.h"

#include <gtest/gtest.h>

#include <limits>

#include "precision/formats/recipes/recipe_error.h"
#include "tests/precision/formats/products/plain_matrices.h"

namespace ampprof::products {
namespace operand_copy_test {

using plain::definition::operand_of;

constexpr RandomKey kRandom{7, 3};

constexpr const char* kOperands[]{
    "bf16",
    "fp16",
    "tf32",
    "fp8e4m3 scale tensor",
    "fp8e5m2 scale tensor",
    "fp8e4m3 scale block_power_of_two block 1x128",
    "fp8e4m3 scale block_power_of_two block 128x128",
    "fp8e4m3 scale block_e8m0 block 1x32",
    "fp4e2m1 scale block_e4m3 block 16x16",
    "fp4e2m1 scale block_e4m3 block 1x16",
    "fp4e2m1 scale block_e4m3 block 1x16 round stochastic",
    "fp4e2m1 scale block_e4m3 block 1x16 round stochastic transform hadamard",
};

at::Tensor normal(c10::IntArrayRef sizes, at::ScalarType type = at::kFloat) {
  return at::randn(sizes, at::detail::createCPUGenerator(11)).to(type);
}

bool same(const at::Tensor& a, const at::Tensor& b) { return a.sizes() == b.sizes() && at::equal(a, b); }

class OperandCopies : public testing::TestWithParam<const char*> {
 protected:
  Operand operand_ = operand_of(GetParam());
  static constexpr Direction kDirections[]{Direction::Rowwise, Direction::Columnwise};
};

TEST_P(OperandCopies, AreTheDefinitionsForAnySizes) {
  for (const auto& [rows, columns] :
       std::initializer_list<std::pair<int, int>>{{1, 1}, {1, 33}, {33, 1}, {48, 32}, {129, 65}, {300, 520}}) {
    for (const Direction direction : kDirections) {
      const at::Tensor matrix = normal({rows, columns});
      EXPECT_TRUE(same(operand_copy(matrix, operand_, direction, {.random = kRandom}),
                       plain::rounded(matrix, operand_, direction, kRandom)))
          << rows << " x " << columns;
    }
  }
}

TEST_P(OperandCopies, ReadAnyTypeAndStrides) {
  const at::Tensor wide = normal({70, 90});
  for (const at::ScalarType type : {at::kHalf, at::kBFloat16, at::kFloat, at::kDouble}) {
    const at::Tensor typed = wide.to(type);
    for (const at::Tensor& matrix : {typed, typed.t(), typed.slice(1, 3, 60), typed.slice(0, 0, 70, 2),
                                     typed.slice(1, 0, 90, 3), typed[0].expand({5, 90})}) {
      for (const Direction direction : kDirections) {
        EXPECT_TRUE(same(operand_copy(matrix, operand_, direction, {.random = kRandom}),
                         plain::rounded(matrix, operand_, direction, kRandom)))
            << type << " of strides " << matrix.strides();
      }
    }
  }
}

TEST_P(OperandCopies, HaveBlocksInsideAMatrixOfABatch) {
  const bool has_tensor_scale = operand_.scale == recipes::Scale::Tensor || operand_.scale == recipes::Scale::BlockE4M3;
  for (const int rows : {20, 128}) {
    const at::Tensor batch = normal({3, rows, 40});
    for (const Direction direction : kDirections) {
      // Stochastic rounding numbers the rows of the whole batch, so a single matrix would get other random numbers.
      if (operand_.rounding == recipes::Rounding::Stochastic) continue;
      std::optional<float> amax;
      if (has_tensor_scale) amax = operand_amax(batch, operand_, direction).item<float>();
      const at::Tensor copy = operand_copy(batch, operand_, direction);
      for (std::int64_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(same(copy[i], plain::rounded(batch[i], operand_, direction, {}, amax))) << rows << " rows, " << i;
      }
    }
  }
}

TEST_P(OperandCopies, SayWhatIsLost) {
  const at::Tensor matrix = normal({100, 700}) * at::logspace(-30, 0, 700, 2.0);
  OperandRoundingSums losses;
  operand_copy(matrix, operand_, Direction::Rowwise, {.random = kRandom, .losses = &losses});
  const auto expected = plain::copy_of(matrix, operand_, Direction::Rowwise, kRandom).statistics;
  const OperandRounding found = losses.total();
  EXPECT_EQ(found.count, expected.count);
  EXPECT_EQ(found.flushed, expected.flushed);
  EXPECT_EQ(found.saturated, expected.saturated);
  EXPECT_EQ(found.amax, expected.amax);
  EXPECT_NEAR(found.sum_sq, expected.sum_sq, 1e-6 * expected.sum_sq);
  EXPECT_NEAR(found.sum_sq_error, expected.sum_sq_error, 1e-6 * expected.sum_sq_error + 1e-13 * expected.sum_sq);
}

/// Hardware saturates. The copy keeps NaN and inf instead, so that an overflow is visible in the product.
TEST_P(OperandCopies, KeepNanAndInf) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
    const at::Tensor matrix = normal({64, 48}, type);
    matrix[3][5] = kInf;
    matrix[40][20] = -kInf;
    matrix[63][47] = std::numeric_limits<float>::quiet_NaN();
    const at::Tensor is_number = operand_copy(matrix, operand_, Direction::Rowwise, {.random = kRandom}).isfinite();
    EXPECT_FALSE(is_number.index({3, 5}).item<bool>());
    EXPECT_FALSE(is_number.index({40, 20}).item<bool>());
    EXPECT_FALSE(is_number.index({63, 47}).item<bool>());
    EXPECT_GT(is_number.sum().item<std::int64_t>(), 0) << "one element takes the whole matrix with it";
  }
}

INSTANTIATE_TEST_SUITE_P(Operands, OperandCopies, testing::ValuesIn(kOperands));

TEST(OperandCopy, OfADelayedScaleTakesTheAmaxThatItIsGiven) {
  const Operand operand = operand_of("fp8e4m3 scale tensor_delayed history 4");
  const at::Tensor matrix = normal({32, 32}) * 300;
  const at::Tensor amax = at::full({}, 200.0F);
  EXPECT_TRUE(same(operand_copy(matrix, operand, Direction::Rowwise, {.amax = amax}),
                   plain::rounded(matrix, operand, Direction::Rowwise, {}, 200.0F)));
  EXPECT_TRUE(
      same(operand_copy(matrix, operand, Direction::Rowwise), plain::rounded(matrix, operand, Direction::Rowwise)))
      << "without history its scale is 1";
}

TEST(OperandCopy, OfNothingIsNothing) {
  for (const auto& sizes : {std::vector<std::int64_t>{0, 16}, {16, 0}, {0, 4, 4}}) {
    EXPECT_EQ(operand_copy(at::empty(sizes), operand_of("fp8e4m3 scale tensor"), Direction::Rowwise).sizes(), sizes);
  }
}

TEST(OperandCopy, ChangesNeitherItsSourceNorTheGenerator) {
  const at::Tensor matrix = normal({64, 64}).requires_grad_();
  const at::Tensor before = matrix.detach().clone();
  const at::Tensor state = at::globalContext().defaultGenerator(at::kCPU).get_state();
  const at::Tensor copy = operand_copy(matrix, operand_of("fp4e2m1 scale block_e4m3 block 1x16 round stochastic"),
                                       Direction::Rowwise, {.random = kRandom});
  EXPECT_TRUE(same(matrix.detach(), before));
  EXPECT_TRUE(same(at::globalContext().defaultGenerator(at::kCPU).get_state(), state));
  EXPECT_FALSE(copy.requires_grad());
}

TEST(OperandRoundingSums, OfCastsAreThoseOfCopies) {
  const at::Tensor matrix = normal({50, 60}) * at::logspace(-30, 17, 60, 2.0);
  matrix[0][0] = std::numeric_limits<float>::quiet_NaN();
  matrix[0][1] = std::numeric_limits<float>::infinity();
  const Operand half = operand_of("fp16");
  OperandRoundingSums of_copy, of_cast;
  const at::Tensor copy = operand_copy(matrix, half, Direction::Rowwise, {.losses = &of_copy});
  of_cast.add_cast(matrix, copy);
  of_cast.add_cast(matrix.narrow(0, 0, 0), copy.narrow(0, 0, 0));
  const OperandRounding a = of_copy.total();
  const OperandRounding b = of_cast.total();
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.nonfinite, b.nonfinite);
  EXPECT_EQ(a.flushed, b.flushed);
  EXPECT_EQ(a.amax, b.amax);
  EXPECT_NEAR(a.sum_sq_error, b.sum_sq_error, 1e-6 * b.sum_sq_error);
  EXPECT_NEAR(a.sum_sq, b.sum_sq, 1e-6 * b.sum_sq);
}

}  // namespace operand_copy_test
}  // namespace ampprof::products

// SPDX-License-Identifier: Apache-2.0
// Compares the products of every recipe with sums in double of operands rounded by quantize's definition.
#include "precision/formats/products/matmuls.h"

#include <gtest/gtest.h>

#include "precision/torch_hooks/fp32_precision.h"
#include "tests/precision/formats/products/plain_matrices.h"

namespace ampprof::products {
namespace matmuls_test {

using recipes::all_recipes;
using recipes::recipe_named;

constexpr RandomKey kRandom{5, 9};

at::Tensor normal(c10::IntArrayRef sizes) { return at::randn(sizes, at::detail::createCPUGenerator(17)); }

struct Sizes {
  std::int64_t leading, rows, columns;
};

/// Operands in the layout of a Matmul.
struct Pair {
  at::Tensor first, second;
};

Pair operands_of(Matmul matmul, const Sizes& sizes) {
  const at::Tensor x = normal({sizes.leading, sizes.columns});
  const at::Tensor w = normal({sizes.rows, sizes.columns}) * 0.1;
  const at::Tensor dy = normal({sizes.leading, sizes.rows}) * 1e-3;
  if (matmul == Matmul::Fprop) return {x, w};
  return {dy, matmul == Matmul::Dgrad ? w : x};
}

/// Multiplies matrices as Matmul defines it, one sum at a time.
at::Tensor summed(Matmul matmul, const at::Tensor& first, const at::Tensor& second) {
  const at::Tensor a = (matmul == Matmul::Wgrad ? first.t() : first).to(at::kDouble).contiguous();
  const at::Tensor b = (matmul == Matmul::Fprop ? second.t() : second).to(at::kDouble).contiguous();
  at::Tensor result = at::zeros({a.size(0), b.size(1)}, at::kDouble);
  const auto from = a.accessor<double, 2>();
  const auto by = b.accessor<double, 2>();
  auto to = result.accessor<double, 2>();
  for (std::int64_t i = 0; i < to.size(0); ++i) {
    for (std::int64_t k = 0; k < by.size(0); ++k) {
      for (std::int64_t j = 0; j < to.size(1); ++j) to[i][j] += from[i][k] * by[k][j];
    }
  }
  return result;
}

at::Tensor plain_product(const Recipe& recipe, Matmul matmul, const Pair& operands, Second second = Second::Weight) {
  const auto rounded = [&](const at::Tensor& matrix, int which) {
    return plain::rounded(matrix, operand_of(recipe, matmul, which, second), direction_of(matmul, which),
                          {kRandom.seed, 2 * kRandom.stream + static_cast<std::uint64_t>(which)});
  };
  return summed(matmul, rounded(operands.first, 0), rounded(operands.second, 1));
}

/// Allows an error of one or two ulps of the terms, because sums are in FP32.
void expect_near(const at::Tensor& found, const at::Tensor& right) {
  ASSERT_EQ(found.sizes(), right.sizes());
  EXPECT_EQ(found.scalar_type(), at::kFloat);
  EXPECT_LE((found - right).abs().max().item<double>(), 2e-6 * right.abs().max().item<double>());
}

class RecipeProducts : public testing::TestWithParam<const char*> {
 protected:
  Recipe recipe_ = recipe_named(GetParam());
};

TEST_P(RecipeProducts, AreThoseOfRoundedOperands) {
  for (const Sizes& sizes : {Sizes{64, 32, 48}, Sizes{160, 128, 256}, Sizes{37, 19, 53}}) {
    for (const Matmul matmul : kMatmuls) {
      const Pair operands = operands_of(matmul, sizes);
      const at::Tensor found = product(recipe_, matmul, operands.first, operands.second, {.random = kRandom}).values;
      expect_near(found, plain_product(recipe_, matmul, operands));
    }
  }
}

TEST_P(RecipeProducts, DependOnValuesNotOnStrides) {
  for (const Matmul matmul : kMatmuls) {
    const Pair operands = operands_of(matmul, {32, 48, 64});
    const auto with_gaps = [](const at::Tensor& tensor) { return tensor.t().contiguous().t(); };
    const auto of = [&](const at::Tensor& first, const at::Tensor& second) {
      return product(recipe_, matmul, first, second, {.random = kRandom}).values;
    };
    expect_near(of(with_gaps(operands.first), with_gaps(operands.second)), of(operands.first, operands.second));
  }
}

TEST_P(RecipeProducts, RoundWhatTheProgramComputedAsAnInput) {
  for (const Matmul matmul : kMatmuls) {
    const Pair operands = operands_of(matmul, {32, 48, 64});
    const at::Tensor found =
        product(recipe_, matmul, operands.first, operands.second, {.second = Second::Activation, .random = kRandom})
            .values;
    expect_near(found, plain_product(recipe_, matmul, operands, Second::Activation));
  }
}

TEST_P(RecipeProducts, OfABatchAreThoseOfItsMatrices) {
  Recipe recipe = recipe_;
  for (Operand& operand : recipe.operands) operand.rounding = recipes::Rounding::NearestEven;
  for (const Matmul matmul : kMatmuls) {
    const Pair one = operands_of(matmul, {32, 48, 64});
    // All matrices have the same amax, so that the scale of the batch equals the scale of each matrix.
    const at::Tensor first = at::stack({one.first, -one.first, one.first.flip(1)});
    const at::Tensor second = at::stack({one.second, one.second, one.second.flip(1)});
    const at::Tensor found = product(recipe, matmul, first, second).values;
    for (std::int64_t i = 0; i < 3; ++i) {
      if (recipe.operands[4].transform == recipes::Transform::Hadamard && i == 2) continue;
      expect_near(found[i], product(recipe, matmul, first[i], second[i]).values.to(at::kDouble));
    }
  }
}

TEST_P(RecipeProducts, CountWhatEachOperandLoses) {
  for (const Matmul matmul : kMatmuls) {
    const Pair operands = operands_of(matmul, {32, 48, 64});
    OperandRoundingSums first, second;
    product(recipe_, matmul, operands.first, operands.second, {.random = kRandom, .losses = {&first, &second}});
    EXPECT_EQ(first.total().count, operands.first.numel());
    EXPECT_EQ(second.total().count, operands.second.numel());
    EXPECT_GT(first.total().sum_sq_error, 0);
    EXPECT_GT(second.total().sum_sq_error, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Recipes, RecipeProducts,
                         testing::Values("tf32", "fp16", "bf16", "fp8_current", "fp8_delayed", "fp8_blockwise", "mxfp8",
                                         "nvfp4", "nvfp4,no_hadamard,nearest", "nvfp4,1d_weights"));

TEST(Products, AreIeeeWhateverTheProgramAllows) {
  const auto set = [](torch_hooks::Fp32Precision precision) {
    torch_hooks::set_fp32_precision(at::kCPU, torch_hooks::Fp32Op::Matmul, precision);
  };
  const Pair operands = operands_of(Matmul::Fprop, {64, 64, 256});
  set(torch_hooks::Fp32Precision::Bf16);
  const at::Tensor exact = exact_product(Matmul::Fprop, operands.first, operands.second, at::kFloat);
  const at::Tensor rounded = product(recipe_named("tf32"), Matmul::Fprop, operands.first, operands.second).values;
  set(torch_hooks::Fp32Precision::Full);
  expect_near(exact, summed(Matmul::Fprop, operands.first, operands.second));
  expect_near(rounded, plain_product(recipe_named("tf32"), Matmul::Fprop, operands));
}

TEST(Products, CanBeExactInDouble) {
  for (const Matmul matmul : kMatmuls) {
    const Pair operands = operands_of(matmul, {33, 17, 65});
    const at::Tensor found = exact_product(matmul, operands.first, operands.second, at::kDouble);
    const at::Tensor right = summed(matmul, operands.first, operands.second);
    EXPECT_LE((found - right).abs().max().item<double>(), 1e-14 * right.abs().max().item<double>());
  }
}

}  // namespace matmuls_test
}  // namespace ampprof::products

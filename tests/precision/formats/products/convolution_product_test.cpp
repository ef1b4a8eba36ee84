// SPDX-License-Identifier: Apache-2.0
// Compares the product of a convolution under a recipe with the product of the convolution's matrices.
#include "precision/formats/products/convolution_product.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "precision/formats/recipes/recipe_file.h"

namespace ampprof::products {
namespace convolution_product_test {

using recipes::recipe_named;

struct Case {
  const char* name;
  std::vector<std::int64_t> input, weight;
  Convolution convolution = {};
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

at::Tensor normal(c10::IntArrayRef sizes, std::uint64_t seed) {
  return at::randn(sizes, at::detail::createCPUGenerator(seed), at::TensorOptions(at::kFloat));
}

constexpr RandomKey kRandom{5, 2};

class ConvolutionProducts : public testing::TestWithParam<std::tuple<Case, const char*>> {
 protected:
  const Case& case_ = std::get<0>(GetParam());
  const Recipe recipe_ = recipe_named(std::get<1>(GetParam()));
  const at::Tensor x_ = normal(case_.input, 1);
  const at::Tensor w_ = normal(case_.weight, 2);
  const ConvolutionMatrices matrices_{x_.sizes(), w_.sizes(), case_.convolution};
  const at::Tensor dy_ = normal(matrices_.output_sizes(), 3);

  RoundedProduct found(Matmul matmul, const at::Tensor& first, const at::Tensor& second) const {
    return convolution_product(matrices_, recipe_, matmul, first, second, {.random = kRandom});
  }

  at::Tensor of_matrices(Matmul matmul, const at::Tensor& first, const at::Tensor& second) const {
    return product(recipe_, matmul, first, second, {.random = kRandom}).values;
  }

  static void expect_near(const at::Tensor& found, const at::Tensor& right) {
    ASSERT_EQ(found.sizes(), right.sizes());
    EXPECT_LE((found - right).abs().max().item<double>(), 3e-6 * right.abs().max().item<double>());
  }
};

TEST_P(ConvolutionProducts, AreThoseOfTheirMatrices) {
  expect_near(found(Matmul::Fprop, x_, w_).values,
              matrices_.output(of_matrices(Matmul::Fprop, matrices_.input(x_), matrices_.weight(w_))));
  expect_near(found(Matmul::Dgrad, dy_, w_).values,
              matrices_.grad_input(of_matrices(Matmul::Dgrad, matrices_.grad_output(dy_), matrices_.weight(w_))));
  expect_near(found(Matmul::Wgrad, dy_, x_).values,
              matrices_.grad_weight(of_matrices(Matmul::Wgrad, matrices_.grad_output(dy_), matrices_.input(x_))));
}

TEST_P(ConvolutionProducts, AreOfTheCopiesThatComeWithThem) {
  for (const auto& [matmul, first, second] :
       {std::tuple{Matmul::Fprop, x_, w_}, {Matmul::Dgrad, dy_, w_}, {Matmul::Wgrad, dy_, x_}}) {
    const RoundedProduct made = found(matmul, first, second);
    EXPECT_EQ(made.first.defined(), made.second.defined());
    if (!made.first.defined()) continue;
    expect_near(made.values, exact_convolution_product(matrices_, matmul, made.first, made.second, at::kDouble));
    EXPECT_FALSE(at::equal(made.first, first));
    EXPECT_LT((made.first - first).norm().item<double>(), 0.2 * first.norm().item<double>());
    EXPECT_LT((made.second - second).norm().item<double>(), 0.2 * second.norm().item<double>());
  }
}

/// A program may take views of a convolution's output, so the memory format has to be LibTorch's.
TEST_P(ConvolutionProducts, AreLaidOutAsThatOfLibTorch) {
  EXPECT_TRUE(found(Matmul::Fprop, x_, w_).values.is_contiguous());
  EXPECT_TRUE(found(Matmul::Dgrad, dy_, w_).values.is_contiguous());
  EXPECT_TRUE(found(Matmul::Wgrad, dy_, x_).values.is_contiguous());
  if (x_.dim() != 4) return;
  const at::Tensor last = x_.contiguous(at::MemoryFormat::ChannelsLast);
  const RoundedProduct of_last = found(Matmul::Fprop, last, w_);
  EXPECT_TRUE(of_last.values.is_contiguous(at::MemoryFormat::ChannelsLast));
  expect_near(of_last.values, found(Matmul::Fprop, x_, w_).values);
}

INSTANTIATE_TEST_SUITE_P(
    All, ConvolutionProducts,
    testing::Combine(
        testing::Values(Case{"whole_blocks", {2, 32, 6, 6}, {32, 32, 3, 3}, {.padding = {1}}},
                        Case{"blocks_across_places", {2, 24, 6, 6}, {16, 24, 3, 3}, {.stride = {2}, .padding = {1}}},
                        Case{"groups", {2, 64, 5, 5}, {32, 32, 3, 3}, {.padding = {1}, .groups = 2}},
                        Case{"one_dimension", {2, 32, 12}, {16, 32, 3}},
                        Case{"transposed",
                             {2, 32, 5, 4},
                             {32, 32, 3, 3},
                             {.stride = {2}, .padding = {1}, .is_transposed = true, .output_padding = {1}}}),
        testing::Values("bf16", "tf32", "fp8_current", "mxfp8", "nvfp4,nearest", "nvfp4,nearest,no_hadamard")),
    [](const auto& info) {
      std::string name = std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param);
      std::ranges::replace(name, ',', '_');
      return name;
    });

/// A product has no copies of its tensors if it needs a matrix of patches.
TEST(ConvolutionProduct, HasCopiesOfTensorsWhereBlocksLieInTheChannels) {
  const at::Tensor x = normal({2, 32, 6, 6}, 1), w = normal({16, 32, 3, 3}, 2), dy = normal({2, 16, 4, 4}, 3);
  const ConvolutionMatrices matrices(x.sizes(), w.sizes(), {});
  const auto has_copies = [&](const char* name, Matmul matmul, const at::Tensor& first, const at::Tensor& second) {
    return convolution_product(matrices, recipe_named(name), matmul, first, second).first.defined();
  };
  for (const char* name : {"fp8_current", "fp8_delayed", "mxfp8", "nvfp4"}) {
    EXPECT_TRUE(has_copies(name, Matmul::Fprop, x, w)) << name;
    EXPECT_TRUE(has_copies(name, Matmul::Dgrad, dy, w)) << name;
  }
  EXPECT_FALSE(has_copies("fp8_blockwise", Matmul::Fprop, x, w)) << "128 channels of 32";
  EXPECT_TRUE(has_copies("fp8_current", Matmul::Wgrad, dy, x));
  EXPECT_FALSE(has_copies("mxfp8", Matmul::Wgrad, dy, x)) << "blocks along images and places";
}

}  // namespace convolution_product_test
}  // namespace ampprof::products

// SPDX-License-Identifier: Apache-2.0
// Compares convolutions computed as matmuls, forward and backward, with LibTorch's convolutions in FP64.
#include "precision/formats/products/convolution_matrices.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "precision/formats/products/matmuls.h"

namespace ampprof::products {
namespace convolution_matrices_test {

struct Case {
  const char* name;
  std::vector<std::int64_t> input, weight;
  Convolution convolution = {};
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

at::Tensor normal(c10::IntArrayRef sizes) {
  return at::randn(sizes, at::detail::createCPUGenerator(23), at::TensorOptions(at::kDouble));
}

void expect_equal(const at::Tensor& found, const at::Tensor& right) {
  ASSERT_EQ(found.sizes(), right.sizes());
  EXPECT_LE((found - right).abs().max().item<double>(), 1e-12 * right.abs().max().item<double>());
}

std::vector<std::int64_t> or_all(const std::vector<std::int64_t>& values, std::size_t dimensions, std::int64_t value) {
  return values.empty() ? std::vector<std::int64_t>(dimensions, value) : values;
}

class Convolutions : public testing::TestWithParam<Case> {
 protected:
  at::Tensor x_ = normal(GetParam().input);
  at::Tensor w_ = normal(GetParam().weight);
  ConvolutionMatrices matrices_{x_.sizes(), w_.sizes(), GetParam().convolution};

  static at::Tensor exact(Matmul matmul, const at::Tensor& first, const at::Tensor& second) {
    return exact_product(matmul, first, second, at::kDouble);
  }
};

TEST_P(Convolutions, AreTheMatmulsOfALinearLayer) {
  const Convolution& c = GetParam().convolution;
  const std::size_t dimensions = w_.sizes().size() - 2;
  const auto stride = or_all(c.stride, dimensions, 1);
  const auto padding = or_all(c.padding, dimensions, 0);
  const auto dilation = or_all(c.dilation, dimensions, 1);
  const auto output_padding = or_all(c.output_padding, dimensions, 0);
  const at::Tensor y =
      at::convolution(x_, w_, {}, stride, padding, dilation, c.is_transposed, output_padding, c.groups);
  EXPECT_EQ(matrices_.output_sizes(), y.sizes().vec());
  expect_equal(matrices_.output(exact(Matmul::Fprop, matrices_.input(x_), matrices_.weight(w_))), y);

  const at::Tensor dy = normal(y.sizes());
  const auto [dx, dw, unused] =
      at::convolution_backward(dy, x_, w_, at::OptionalIntArrayRef(), stride, padding, dilation, c.is_transposed,
                               output_padding, c.groups, {true, true, false});
  expect_equal(matrices_.grad_input(exact(Matmul::Dgrad, matrices_.grad_output(dy), matrices_.weight(w_))), dx);
  expect_equal(matrices_.grad_weight(exact(Matmul::Wgrad, matrices_.grad_output(dy), matrices_.input(x_))), dw);
}

TEST_P(Convolutions, HaveOneElementOfAMatrixForEachOfTheWeight) {
  const at::Tensor matrix = matrices_.weight(w_);
  EXPECT_EQ(matrix.size(0), GetParam().convolution.groups);
  expect_equal(matrices_.grad_weight(matrix), w_);
}

INSTANTIATE_TEST_SUITE_P(
    All, Convolutions,
    testing::Values(
        Case{"plain", {2, 3, 8, 7}, {5, 3, 3, 2}}, Case{"pointwise", {2, 4, 5, 5}, {6, 4, 1, 1}},
        Case{"padded", {2, 3, 8, 8}, {4, 3, 3, 3}, {.padding = {1, 2}}},
        Case{"strided", {2, 3, 9, 8}, {4, 3, 3, 3}, {.stride = {2, 3}, .padding = {1, 1}}},
        Case{"strided_with_a_rest", {1, 2, 10, 10}, {3, 2, 3, 3}, {.stride = {4, 3}}},
        Case{"dilated", {2, 3, 11, 10}, {4, 3, 3, 2}, {.stride = {2, 1}, .padding = {2, 2}, .dilation = {2, 3}}},
        Case{"groups", {2, 6, 7, 7}, {4, 3, 3, 3}, {.padding = {1, 1}, .groups = 2}},
        Case{"depthwise", {2, 4, 7, 7}, {8, 1, 3, 3}, {.stride = {2, 2}, .groups = 4}},
        Case{"one_dimension", {3, 4, 12}, {5, 4, 3}, {.stride = {2}, .padding = {1}}},
        Case{"three_dimensions", {1, 2, 4, 5, 6}, {3, 2, 2, 3, 2}, {.padding = {1, 0, 1}}},
        Case{"transposed", {2, 5, 4, 6}, {5, 3, 3, 2}, {.is_transposed = true}},
        Case{"transposed_strided",
             {2, 4, 5, 4},
             {4, 3, 3, 3},
             {.stride = {2, 3}, .padding = {1, 0}, .is_transposed = true, .output_padding = {1, 2}}},
        Case{"transposed_groups",
             {2, 4, 5, 5},
             {4, 3, 3, 3},
             {.stride = {2, 2}, .padding = {1, 1}, .dilation = {2, 1}, .is_transposed = true, .groups = 2}}),
    [](const auto& info) { return info.param.name; });

}  // namespace convolution_matrices_test
}  // namespace ampprof::products

// SPDX-License-Identifier: Apache-2.0
#include "precision/impact/products.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "precision/tensors/in_pieces.h"

namespace ampprof {
namespace impact_products_test {

void expect_products(const at::Tensor& gradient, const at::Tensor& error) {
  const at::Tensor products = gradient.to(at::kDouble) * error.to(at::kDouble);
  const double length = products.square().sum().sqrt().item<double>();
  const auto found = impact::products_of(gradient, error);
  EXPECT_EQ(found.sum.scalar_type(), at::kDouble);
  EXPECT_NEAR(found.sum.item<double>(), products.sum().item<double>(), 1e-9 * (1 + length));
  EXPECT_NEAR(found.length.item<double>(), length, 1e-9 * length);
  EXPECT_EQ(impact::sum_of_products(gradient, error).item<double>(), found.sum.item<double>());
  EXPECT_EQ(impact::norm_of_products(gradient, error).item<double>(), found.length.item<double>());
}

TEST(Products, AreThoseOfEqualPlacesWhateverTheLayouts) {
  at::manual_seed(1);
  const at::Tensor gradient = at::randn({4, 6, 5, 3}), error = at::randn({4, 6, 5, 3}).to(at::kBFloat16);
  expect_products(gradient, error);
  expect_products(gradient.to(at::MemoryFormat::ChannelsLast), error);
  expect_products(gradient.to(at::MemoryFormat::ChannelsLast), error.to(at::MemoryFormat::ChannelsLast));
  expect_products(gradient.slice(1, 0, 3), error.slice(1, 3, 6));
  expect_products(gradient[0][0][0].expand({4, 3}), error[0].flatten()[0].expand({4, 3}));
  expect_products(gradient.to(at::kDouble), error);
  expect_products(at::_neg_view(gradient), error);
}

/// The mean is computed inside the product. It is stored only for FP64, for views such as _neg_view(), and for tensors
/// that differ in memory order.
TEST(Products, OfTwoGradientsAreThoseOfTheirMean) {
  at::manual_seed(3);
  const at::Tensor a = at::randn({4, 6, 5, 3}), b = at::randn({4, 6, 5, 3});
  const at::Tensor error = at::randn({4, 6, 5, 3}).to(at::kBFloat16);
  const auto channels_last = [](const at::Tensor& tensor) { return tensor.to(at::MemoryFormat::ChannelsLast); };
  const auto expect_mean = [](const at::Tensor& first, const at::Tensor& second, const at::Tensor& errors) {
    const at::Tensor products = (first.to(at::kDouble) + second.to(at::kDouble)) / 2 * errors.to(at::kDouble);
    const double length = products.square().sum().sqrt().item<double>();
    const auto found = impact::products_of(impact::Gradient::mean_of(first, second), errors);
    EXPECT_NEAR(found.sum.item<double>(), products.sum().item<double>(), 1e-6 * (1 + length));
    EXPECT_NEAR(found.length.item<double>(), length, 1e-6 * length);
  };
  expect_mean(a, b, error);
  expect_mean(channels_last(a), b, error);
  expect_mean(a, channels_last(b), error);
  expect_mean(channels_last(a), channels_last(b), error);
  expect_mean(channels_last(a), channels_last(b), channels_last(error));
  expect_mean(a.to(at::kHalf), b, error);
  expect_mean(a.to(at::kDouble), b, error);
  expect_mean(a, at::_neg_view(b), error);
  expect_mean(a[0][0][0].expand({4, 3}), b[0][0][0].expand({4, 3}), error[0].flatten()[0].expand({4, 3}));
}

TEST(Products, AreAddedUpOverPieces) {
  at::manual_seed(2);
  const auto size = static_cast<std::int64_t>(2 * tensors::kPiece + 7);
  expect_products(at::randn({size}), at::randn({size}).to(at::kBFloat16));
}

TEST(Products, OfATangentThatIsZeroEverywhereAreZero) {
  const auto found = impact::products_of(at::_efficientzerotensor({3, 4}), at::ones({3, 4}, at::kBFloat16));
  EXPECT_EQ(found.sum.item<double>(), 0.0);
  EXPECT_EQ(found.length.item<double>(), 0.0);
}

}  // namespace impact_products_test
}  // namespace ampprof

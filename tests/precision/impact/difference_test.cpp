// SPDX-License-Identifier: Apache-2.0
#include "precision/impact/difference.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

namespace ampprof {
namespace difference_test {

TEST(Difference, IsLowLessHighInTheOrderOfLow) {
  const at::Tensor high = at::rand({2, 3, 4, 5}).to(at::MemoryFormat::ChannelsLast);
  const at::Tensor low = high.to(at::kHalf);
  const at::Tensor kept = impact::difference(low, high);
  EXPECT_EQ(kept.scalar_type(), at::kBFloat16);
  EXPECT_EQ(kept.strides(), low.strides());
  const at::Tensor exact = low.to(at::kDouble) - high.to(at::kDouble);
  EXPECT_TRUE(at::allclose(kept.to(at::kDouble), exact, 0x1p-8, 0)) << "eight bits of mantissa";
}

TEST(Difference, IsInTheOrderOfLowWhereHighLiesOtherwise) {
  const at::Tensor low = at::rand({2, 3, 4, 5}).to(at::MemoryFormat::ChannelsLast), high = at::rand({2, 3, 4, 5});
  for (const at::Tensor& one : {low, low.to(at::kHalf), low.slice(2, 0, 2)}) {
    const at::Tensor other = high.slice(2, 0, one.size(2));
    const at::Tensor kept = impact::difference(one, other);
    EXPECT_TRUE(kept.is_contiguous(at::MemoryFormat::ChannelsLast));
    EXPECT_TRUE(at::allclose(kept.to(at::kDouble), one.to(at::kDouble) - other.to(at::kDouble), 0x1p-8, 0));
  }
}

TEST(Difference, IsThatOfDoublesInBf16) {
  const at::Tensor low = at::rand({7}), high = low.to(at::kDouble) + 1e-9;
  EXPECT_NEAR(impact::difference(low, high)[3].item<double>(), -1e-9, 1e-11);
}

TEST(Difference, KeepsWhatIsNotFinite) {
  const at::Tensor low = at::tensor({1.0, std::numeric_limits<double>::infinity()}).to(at::kHalf);
  EXPECT_FALSE(impact::is_finite(impact::difference(low, at::ones({2}))));
  EXPECT_TRUE(impact::is_finite(impact::difference(at::ones({2}, at::kHalf), at::ones({2}))));
}

TEST(Difference, IgnoresTheInfinityOfAMask) {
  const at::Tensor high = at::tensor({1.0, -std::numeric_limits<double>::infinity(), 1e6});
  const at::Tensor kept = impact::difference(high.to(at::kHalf), high.to(at::kFloat));
  EXPECT_EQ(kept[1].item<double>(), 0.0);
  EXPECT_FALSE(impact::is_finite(kept)) << "1e6 overflowed";
  EXPECT_TRUE(impact::is_finite(kept.slice(0, 0, 2)));
}

struct InnerProduct : testing::TestWithParam<at::ScalarType> {};

TEST_P(InnerProduct, IsThatOfDoubles) {
  at::manual_seed(1);
  const at::Tensor gradient = at::randn({33, 17}).to(GetParam());
  const at::Tensor error = at::randn({33, 17}).to(at::kBFloat16);
  const double exact = (gradient.to(at::kDouble) * error.to(at::kDouble)).sum().item<double>();
  EXPECT_NEAR(impact::inner_product(gradient, error), exact, 1e-4);
  const double turned = (gradient.t().to(at::kDouble) * error.t().to(at::kDouble)).sum().item<double>();
  EXPECT_NEAR(impact::inner_product(gradient.t().contiguous().t(), error), turned, 1e-4);
}

TEST_P(InnerProduct, TakesAGradientThatWasExpanded) {
  const at::Tensor gradient = at::full({1, 1}, 0.5).to(GetParam()).expand({4, 8});
  EXPECT_EQ(impact::inner_product(gradient, at::ones({4, 8}, at::kBFloat16)), 16.0);
}

TEST_P(InnerProduct, OfNothingIsZero) {
  EXPECT_EQ(impact::inner_product(at::ones({0}, GetParam()), at::ones({0})), 0.0);
}

TEST_P(InnerProduct, IsNotFiniteWhereAnElementIsNot) {
  at::Tensor gradient = at::ones({3}, GetParam());
  gradient[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(std::isfinite(impact::inner_product(gradient, at::ones({3}, at::kBFloat16))));
}

/// The results that inner_product_later() passes to its callback.
struct Late {
  double product = 0.0;
  bool is_gradient_finite = false;
};

Late late_of(const at::Tensor& gradient, const at::Tensor& error) {
  tensors::DeferredReductions results;
  std::optional<Late> late;
  impact::inner_product_later(gradient, error, results, [&](double product, bool is_gradient_finite) {
    late = Late{product, is_gradient_finite};
  });
  EXPECT_FALSE(late) << "it was not waited for yet";
  results.complete();
  return late.value_or(Late{NAN});
}

TEST_P(InnerProduct, ThatComesLaterIsTheSame) {
  const at::Tensor gradient = at::randn({17, 33}).to(GetParam()).t();
  const at::Tensor error = at::randn({33, 17}).to(at::kBFloat16);
  const Late late = late_of(gradient, error);
  EXPECT_EQ(late.product, impact::inner_product(gradient, error));
  EXPECT_TRUE(late.is_gradient_finite);
  EXPECT_EQ(late_of(gradient[0][0].expand({4, 8}), at::ones({4, 8}, at::kBFloat16)).product,
            32 * gradient[0][0].item<double>());
}

TEST_P(InnerProduct, ThatComesLaterOfNothingIsZero) {
  const Late late = late_of(at::ones({0, 3}, GetParam()), at::ones({0, 3}));
  EXPECT_EQ(late.product, 0.0);
  EXPECT_TRUE(late.is_gradient_finite);
}

TEST_P(InnerProduct, OfNoErrorIsZeroWhateverTheGradient) {
  at::Tensor gradient = at::ones({3}, GetParam());
  gradient[1] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(impact::inner_product(gradient, at::zeros({3}, at::kBFloat16)), 0.0);
  EXPECT_EQ(late_of(gradient, at::zeros({3}, at::kBFloat16)).product, 0.0);
  EXPECT_FALSE(late_of(gradient, at::zeros({3}, at::kBFloat16)).is_gradient_finite);
}

TEST_P(InnerProduct, ThatComesLaterTellsWhichIsNotFinite) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const double value : {kInf, -kInf, std::numeric_limits<double>::quiet_NaN()}) {
    at::Tensor wild = at::ones({5, 40}, GetParam());
    wild[3][17] = value;
    const Late of_gradient = late_of(wild, at::ones({5, 40}, at::kBFloat16));
    EXPECT_FALSE(std::isfinite(of_gradient.product));
    EXPECT_FALSE(of_gradient.is_gradient_finite) << value;
    const Late of_error = late_of(at::ones({5, 40}, GetParam()), wild.to(at::kBFloat16));
    EXPECT_FALSE(std::isfinite(of_error.product));
    EXPECT_TRUE(of_error.is_gradient_finite) << value;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, InnerProduct, testing::Values(at::kHalf, at::kBFloat16, at::kFloat, at::kDouble),
                         [](const auto& info) { return std::string(toString(info.param)); });

TEST_P(InnerProduct, ComesWithTheSquareOfItsProducts) {
  at::Tensor wild = at::ones({33, 17}, GetParam());
  wild[3][7] = std::numeric_limits<double>::infinity();
  for (const at::Tensor& gradient : {at::randn({33, 17}).to(GetParam()), wild}) {
    for (const at::Tensor& error : {at::randn({33, 17}).to(at::kBFloat16), at::zeros({33, 17}, at::kBFloat16)}) {
      const double sum = impact::inner_product(gradient, error), square = impact::square_of_products(gradient, error);
      const auto is_same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
      const impact::ErrorProducts both = impact::products_with_square(gradient, error);
      EXPECT_TRUE(is_same(both.sum, sum)) << both.sum << " is not " << sum;
      EXPECT_TRUE(is_same(both.square, square)) << both.square << " is not " << square;
      tensors::DeferredReductions results;
      impact::products_with_square_later(gradient, error, results, [&](impact::ErrorProducts late, bool is_finite) {
        EXPECT_TRUE(is_same(late.sum, sum)) << late.sum << " is not " << sum;
        EXPECT_TRUE(is_same(late.square, square)) << late.square << " is not " << square;
        EXPECT_EQ(is_finite, impact::is_finite(gradient));
      });
      results.complete();
    }
  }
}

struct SquareOfProducts : testing::TestWithParam<at::ScalarType> {};

TEST_P(SquareOfProducts, IsThatOfDoubles) {
  at::manual_seed(2);
  const at::Tensor gradient = at::randn({33, 17}).to(GetParam());
  const at::Tensor roundings = at::randn({33, 17}).to(at::kBFloat16);
  const double exact = (gradient.to(at::kDouble) * roundings.to(at::kDouble)).square().sum().item<double>();
  EXPECT_NEAR(impact::square_of_products(gradient, roundings) / exact, 1.0, 1e-5);
  tensors::DeferredReductions results;
  double late = 0.0;
  impact::square_of_products_later(gradient, roundings, results, [&](double square) { late = square; });
  results.complete();
  EXPECT_EQ(late, impact::square_of_products(gradient, roundings));
}

INSTANTIATE_TEST_SUITE_P(Types, SquareOfProducts, testing::Values(at::kHalf, at::kBFloat16, at::kFloat, at::kDouble),
                         [](const auto& info) { return std::string(toString(info.param)); });

TEST(SquareOfProductsOf, TinyGradientsIsNotFlushed) {
  EXPECT_NEAR(impact::square_of_products(at::full({4}, 0x1p-80f), at::ones({4}, at::kBFloat16)) / 0x1p-158, 1.0, 1e-9);
  EXPECT_EQ(impact::square_of_products(at::ones({0}), at::ones({0})), 0.0);
}

TEST(RoundingTo, IsWhatTheSmallerTypeLoses) {
  const at::Tensor tensor = at::rand({64}) + 1;
  const at::Tensor exact = tensor.to(at::kHalf).to(at::kFloat) - tensor;
  EXPECT_TRUE(at::allclose(impact::rounding_to(tensor, at::kHalf).to(at::kFloat), exact, 0x1p-8, 0));
}

TEST(ExpectedRounding, HasTheSizeOfTrueOnes) {
  at::manual_seed(3);
  for (const at::ScalarType type : {at::kHalf, at::kBFloat16}) {
    const at::Tensor exact = at::randn({1 << 16});
    const at::Tensor rounded = exact.to(type);
    const double expected = impact::expected_rounding(rounded).to(at::kDouble).square().sum().item<double>();
    const double truly = (rounded.to(at::kDouble) - exact.to(at::kDouble)).square().sum().item<double>();
    EXPECT_NEAR(expected / truly, 1.0, 0.05) << toString(type);
  }
}

TEST(ExpectedRounding, EndsAtTheSpacingOfSubnormalNumbers) {
  const at::Tensor rounded = at::tensor({0.0, 0x1p-24, 0x1p-15, 1.0}).to(at::kHalf);
  const at::Tensor expected = (impact::expected_rounding(rounded).to(at::kDouble) * std::sqrt(12.0)).abs();
  EXPECT_NEAR(expected[0].item<double>(), 0x1p-24, 0x1p-32);
  EXPECT_NEAR(expected[1].item<double>(), 0x1p-24, 0x1p-32);
  EXPECT_NEAR(expected[2].item<double>(), 0x1p-24, 0x1p-32);
  EXPECT_NEAR(expected[3].item<double>(), 0x1p-10, 0x1p-18);
}

TEST(ExpectedRounding, OfTheLargestNumberAndOfStridedOnesIsTheirSpacing) {
  const at::Tensor rounded = at::tensor({65504.0, -65504.0, 1.0, 2.0}).to(at::kHalf).view({2, 2}).t();
  const at::Tensor expected = (impact::expected_rounding(rounded).to(at::kDouble) * std::sqrt(12.0)).abs();
  EXPECT_NEAR(expected[0][0].item<double>(), 32.0, 0.2);
  EXPECT_NEAR(expected[1][0].item<double>(), 32.0, 0.2);
  EXPECT_NEAR(expected[0][1].item<double>(), 0x1p-10, 0x1p-17);
  EXPECT_NEAR(expected[1][1].item<double>(), 0x1p-9, 0x1p-16);
}

TEST(MeanOfTwoGradients, IsInFp32) {
  const auto mean = impact::Gradient::mean_of(at::ones({2}, at::kHalf), at::full({2}, 2.0));
  EXPECT_EQ(mean.values().scalar_type(), at::kFloat);
  EXPECT_EQ(mean.values()[0].item<double>(), 1.5);
  EXPECT_TRUE(impact::is_finite(mean));
  EXPECT_FALSE(impact::is_finite(impact::Gradient::mean_of(at::ones({1}), at::full({1}, NAN))));
}

TEST(InnerProductOfLargeTensors, DoesNotLoseSmallTermsBesideALargeSum) {
  at::Tensor gradient = at::ones({1 << 22});
  gradient[0] = 0x1p25;
  EXPECT_EQ(impact::inner_product(gradient, at::ones({1 << 22}, at::kBFloat16)), 0x1p25 + (1 << 22) - 1);
}

}  // namespace difference_test
}  // namespace ampprof

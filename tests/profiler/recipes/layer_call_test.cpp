// SPDX-License-Identifier: Apache-2.0
#include "profiler/recipes/layer_call.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <optional>
#include <string>
#include <vector>

#include "precision/formats/products/convolution_product.h"
#include "precision/formats/recipes/recipe.h"

namespace ampprof::profiler {
namespace layer_call_test {

using Values = std::vector<c10::IValue>;
using products::exact_convolution_product;
using products::exact_product;
using products::Second;

at::Tensor exact(const std::optional<products::ConvolutionMatrices>& convolution, Matmul matmul,
                 const at::Tensor& first, const at::Tensor& second) {
  return convolution ? exact_convolution_product(*convolution, matmul, first, second, at::kFloat)
                     : exact_product(matmul, first, second, at::kFloat);
}

struct Case {
  std::string name;
  std::string op;
  Values arguments;
  at::Tensor result;  ///< result of the op
};

void PrintTo(const Case& value, std::ostream* out) { *out << value.name; }

Values convolution_arguments(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias, std::int64_t groups,
                             bool is_transposed) {
  const std::vector<std::int64_t> two{2, 2}, one{1, 1}, none{0, 0};
  return {x, w, bias, two, one, one, is_transposed, none, groups};
}

std::vector<Case> cases() {
  torch::manual_seed(1);
  const at::Tensor x = torch::randn({6, 4}), w = torch::randn({3, 4}).requires_grad_(), added = torch::randn({6, 3});
  const at::Tensor a = torch::randn({2, 6, 4}), b = torch::randn({2, 4, 3}), to = torch::randn({2, 6, 3});
  const at::Tensor images = torch::randn({2, 4, 5, 7}), kernel = torch::randn({6, 2, 3, 3}), bias = torch::randn({6});
  const at::Tensor back = torch::randn({4, 3, 3, 2}), back_bias = torch::randn({6});
  const torch::NoGradGuard no_grad;
  std::vector<Case> all;
  all.push_back({"mm", "aten::mm", {x, w.t()}, x.mm(w.t())});
  all.push_back({"weight_first", "aten::mm", {w, x.t()}, w.mm(x.t())});
  all.push_back({"addmm", "aten::addmm", {added, x, w.t(), 2.0, 0.5}, at::addmm(added, x, w.t(), 2.0, 0.5)});
  all.push_back({"bmm", "aten::bmm", {a, b}, a.bmm(b)});
  all.push_back({"baddbmm", "aten::baddbmm", {to, a, b, 2.0, 0.5}, at::baddbmm(to, a, b, 2.0, 0.5)});
  all.push_back({"convolution", "aten::convolution", convolution_arguments(images, kernel, bias, 2, false),
                 at::conv2d(images, kernel, bias, 2, 1, 1, 2)});
  all.push_back({"transposed", "aten::convolution", convolution_arguments(images, back, back_bias, 2, true),
                 at::conv_transpose2d(images, back, back_bias, 2, 1, 0, 2, 1)});
  return all;
}

class LayerCalls : public testing::TestWithParam<Case> {};

TEST_P(LayerCalls, GiveWhatTheirOpGives) {
  const Case& value = GetParam();
  const auto call = LayerCall::of(value.op, value.arguments);
  ASSERT_TRUE(call);
  const at::Tensor x = call->input(value.arguments[call->input_at()].toTensor());
  const at::Tensor w = call->weight(value.arguments[call->weight_at()].toTensor());
  const at::Tensor y = exact(call->convolution(), Matmul::Fprop, x.detach(), w.detach());
  const torch::NoGradGuard no_grad;
  EXPECT_TRUE(at::allclose(call->result(y, value.arguments), value.result, 1e-4, 1e-5));
}

INSTANTIATE_TEST_SUITE_P(All, LayerCalls, testing::ValuesIn(cases()), [](const auto& info) { return info.param.name; });

TEST(LayerCall, KnowsWhichOperandIsTheWeight) {
  const at::Tensor x = torch::randn({4, 4}), w = torch::randn({4, 4}).requires_grad_();
  const auto second = LayerCall::of("aten::mm", Values{x, w.t()});
  EXPECT_EQ(second->weight_at(), 1u);
  EXPECT_EQ(second->second(), Second::Weight);
  EXPECT_EQ(LayerCall::of("aten::mm", Values{w, x})->weight_at(), 0u);
  EXPECT_EQ(LayerCall::of("aten::mm", Values{x, w.to(at::kBFloat16).t()})->second(), Second::Weight);
  EXPECT_EQ(LayerCall::of("aten::bmm", Values{x.unsqueeze(0), x.unsqueeze(0)})->second(), Second::Activation);
}

TEST(LayerCall, IsNoneOfVectorsIntegersAndOtherOps) {
  const at::Tensor x = torch::randn({4, 4}), n = torch::ones({4, 4}, at::kLong);
  EXPECT_FALSE(LayerCall::of("aten::mm", Values{n, n}));
  EXPECT_FALSE(LayerCall::of("aten::mm", Values{torch::randn({0, 4}), x}));
  EXPECT_FALSE(LayerCall::of("aten::mul", Values{x, x}));
  const Values one_image = convolution_arguments(torch::randn({4, 5, 7}), torch::randn({6, 4, 3, 3}), {}, 1, false);
  EXPECT_FALSE(LayerCall::of("aten::convolution", one_image));
}

/// Uses square matrices, so that sizes cannot tell the operands apart.
struct Square : testing::Test {
  at::Tensor x = torch::randn({8, 8}), w = torch::randn({8, 8}), dy = torch::randn({8, 8});
  SeenLayer layer{memory_of(x), memory_of(w), Second::Weight};

  void expect(const at::Tensor& a, const at::Tensor& b, Matmul matmul, const at::Tensor& exact) {
    const at::Tensor output = a.mm(b);
    const auto found = backward_matmuls("aten::mm", Values{a, b}, Values{output}, layer);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].matmul, matmul);
    const at::Tensor product = exact_product(matmul, found[0].grad_output, found[0].other, at::kFloat);
    EXPECT_TRUE(at::allclose(product, exact, 1e-4, 1e-5)) << "a layer's own matrices";
    EXPECT_TRUE(at::allclose(found[0].result(product), output, 1e-4, 1e-5)) << "as the call gave it";
  }
};

TEST_F(Square, DgradAndWgradAreDistinguishedInEverySpelling) {
  expect(dy, w, Matmul::Dgrad, dy.mm(w));
  expect(w.t(), dy.t(), Matmul::Dgrad, dy.mm(w));
  expect(dy.t(), x, Matmul::Wgrad, dy.t().mm(x));
  expect(x.t(), dy, Matmul::Wgrad, dy.t().mm(x));
}

TEST_F(Square, AProductOfOthersIsNone) {
  const at::Tensor other = torch::randn({8, 8});
  EXPECT_TRUE(backward_matmuls("aten::mm", Values{dy, other}, Values{dy.mm(other)}, layer).empty());
  EXPECT_TRUE(backward_matmuls("aten::mul", Values{dy, w}, Values{dy * w}, layer).empty());
}

TEST(BackwardOfAConvolution, IsTwoMatmuls) {
  const at::Tensor x = torch::randn({2, 8, 6, 6}), w = torch::randn({8, 8, 3, 3});
  const std::vector<std::int64_t> one{1, 1}, none{0, 0};
  const at::Tensor dy = torch::randn({2, 8, 6, 6});
  const auto both =
      at::convolution_backward(dy, x, w, at::OptionalIntArrayRef(), one, one, one, false, none, 1, {true, true, false});
  const Values arguments{dy, x, w, c10::IValue(), one, one, one, false, none, 1};
  const Values returned{std::get<0>(both), std::get<1>(both), at::Tensor()};
  const auto found = backward_matmuls("aten::convolution_backward", arguments, returned, {});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].matmul, Matmul::Dgrad);
  EXPECT_EQ(found[1].matmul, Matmul::Wgrad);
  for (const BackwardMatmul& matmul : found) {
    const at::Tensor product = exact(matmul.convolution, matmul.matmul, matmul.grad_output, matmul.other);
    EXPECT_TRUE(at::allclose(matmul.result(product), matmul.output, 1e-3, 1e-4));
  }
}

}  // namespace layer_call_test
}  // namespace ampprof::profiler

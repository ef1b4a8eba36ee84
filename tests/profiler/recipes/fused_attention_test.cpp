// SPDX-License-Identifier: Apache-2.0
#include "profiler/recipes/fused_attention.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "amp_core/recipes/attention.h"
#include "precision/recipes/recipe.h"
#include "profiler/recipes/attention_products.h"

namespace ampprof::profiler {
namespace fused_attention_test {

using Values = std::vector<c10::IValue>;
using amp::recipes::Formats;

constexpr const char* kKernel = "aten::_scaled_dot_product_flash_attention_for_cpu";

c10::OperatorHandle op_named(const char* name) { return c10::Dispatcher::singleton().findSchemaOrThrow(name, ""); }

struct Case {
  const char* name;
  std::int64_t key_heads = 2;
  bool is_causal = false;
  at::Tensor mask{};
  std::optional<double> scale{};
};

void PrintTo(const Case& value, std::ostream* out) { *out << value.name; }

struct Attention : testing::TestWithParam<Case> {
  void SetUp() override { torch::manual_seed(2); }

  Values arguments() const {
    const Case& value = GetParam();
    return {query, key, this->value, 0.0, value.is_causal, value.mask, value.scale};
  }
  /// Of scaled_dot_product_attention(), which knows how heads are shared.
  Values named_arguments() const {
    const Case& value = GetParam();
    return {query, key, this->value, value.mask, 0.0, value.is_causal, value.scale, value.key_heads != 2};
  }
  at::Tensor reference() const {
    const Case& value = GetParam();
    return at::scaled_dot_product_attention(query, key, this->value,
                                            value.mask.defined() ? std::optional(value.mask) : std::nullopt, 0.0,
                                            value.is_causal, value.scale, value.key_heads != 2);
  }
  FusedAttention attention() const { return *FusedAttention::of(op_named(kKernel).schema(), arguments()); }

  std::int64_t key_heads = GetParam().key_heads;
  at::Tensor query = torch::randn({3, 2, 16, 32}).requires_grad_();
  at::Tensor key = torch::randn({3, key_heads, 48, 32}).requires_grad_();
  at::Tensor value = torch::randn({3, key_heads, 48, 64}).requires_grad_();
  at::Tensor dy = torch::randn({3, 2, 16, 64});
};

TEST_P(Attention, TakenApartIsWhatItWas) {
  const at::Tensor whole = reference();
  const auto gradients = torch::autograd::grad({whole}, {query, key, value}, {dy});
  const torch::NoGradGuard no_grad;
  EXPECT_TRUE(at::allclose(attention().output(multiply_exactly), whole, 1e-4, 1e-5));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(at::allclose(attention().gradient(i, dy, multiply_exactly), gradients[i], 1e-4, 1e-5)) << i;
  }
}

/// A whole recipe, or one of its parts, as the engine runs it.
std::shared_ptr<const amp::recipes::Layer> layer_in(const recipes::Recipe& recipe, bool is_forward) {
  const auto shared = std::make_shared<const amp::recipes::Recipe>(recipe);
  Formats formats;
  if (is_forward) {
    formats.of[0] = shared;
  } else {
    formats.of[1] = formats.of[2] = shared;
  }
  return std::make_shared<const amp::recipes::Layer>(
      amp::recipes::Layer{formats, amp::recipes::Second::Activation, {}, "layer"});
}

at::Tensor attended(const Values& arguments, const recipes::Recipe& recipe, bool is_forward) {
  return amp::recipes::attend(
      {layer_in(recipe, is_forward), layer_in(recipe, is_forward)},
      amp::recipes::Arguments(op_named("aten::scaled_dot_product_attention").schema(), arguments));
}

TEST_P(Attention, InARecipeIsWhatTheEngineMakesOfIt) {
  RecipeProducts products({"fp8_current"});
  const FusedAttention on = attention();
  const auto layers = attention_layers(products, {}, on);
  RecipeFindings found;
  const at::Tensor engine = attended(named_arguments(), products.recipe(0), /*is_forward=*/true);
  const torch::NoGradGuard no_grad;
  const at::Tensor exact = on.output(multiply_exactly);
  const at::Tensor low = attention_in_recipes(products, {on, layers, query, key, exact, exact}, found);
  EXPECT_TRUE(at::equal(low, engine));
  ASSERT_EQ(found.rows.size(), 2u);
  ASSERT_EQ(found.compared.size(), 2u);
  EXPECT_TRUE(at::equal(found.compared[0].high, exact));
  EXPECT_TRUE(at::equal(found.compared[0].low, found.compared[1].high)) << "each goes on from the one before";
  EXPECT_TRUE(at::equal(found.compared[1].low, low));
  EXPECT_EQ(found.compared[0].rounded.size(), GetParam().key_heads == 2 ? 2u : 0u);
  for (const RecipeRow& row : found.rows) EXPECT_GT(row.read().sum_sq_error, 0.0);
}

TEST_P(Attention, BackwardInARecipeIsWhatTheEngineMakesOfIt) {
  RecipeProducts products({"fp8_current"});
  const FusedAttention on = attention();
  const auto layers = attention_layers(products, {}, on);
  const auto engine = torch::autograd::grad({attended(named_arguments(), products.recipe(0), /*is_forward=*/false)},
                                            {query, key, value}, {dy});
  const torch::NoGradGuard no_grad;
  std::array<at::Tensor, 3> exact;
  for (std::size_t i = 0; i < 3; ++i) exact[i] = on.gradient(i, dy, multiply_exactly);
  RecipeFindings found;
  attention_backward_in_recipes(products, {on, layers, op_named(kKernel).schema(), dy, exact}, found);
  EXPECT_EQ(found.rows.size(), 4u) << "dgrad and wgrad of two products";
  ASSERT_EQ(found.compared.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const ComparedOutput& compared = found.compared[i];
    EXPECT_EQ(compared.products.size(), i == 1 ? 2u : 1u) << "the weights' dgrad goes on to the key";
    const at::Tensor whole = compared.products.back().find(arguments(), dy);
    EXPECT_TRUE(at::allclose(whole, engine[i], 1e-5, 1e-6)) << i;
    EXPECT_FALSE(at::allclose(whole, exact[i], 1e-3, 1e-4)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Attention,
                         testing::Values(Case{.name = "plain"}, Case{.name = "causal", .is_causal = true},
                                         Case{.name = "masked", .mask = at::ones({16, 48}, at::kBool).tril(6)},
                                         Case{.name = "biased", .mask = at::ones({16, 48}).tril(3), .scale = 0.7},
                                         Case{.name = "shared_heads", .key_heads = 1}),
                         [](const auto& info) { return info.param.name; });

TEST(FusedAttention, IsNotTakenApartWhereItDropsWeights) {
  const at::Tensor x = torch::randn({1, 2, 8, 16});
  EXPECT_TRUE(FusedAttention::of(op_named(kKernel).schema(), Values{x, x, x, 0.0, false, {}, {}}));
  EXPECT_FALSE(FusedAttention::of(op_named(kKernel).schema(), Values{x, x, x, 0.1, false, {}, {}}));
}

TEST(FusedAttention, IsWhatKernelsOfAllDevicesCompute) {
  for (const char* name : {kKernel, "aten::_scaled_dot_product_efficient_attention",
                           "aten::_scaled_dot_product_flash_attention", "aten::_scaled_dot_product_cudnn_attention"}) {
    EXPECT_TRUE(is_fused_attention(name)) << name;
    EXPECT_TRUE(is_backward_of_fused_attention(std::string(name) + "_backward")) << name;
    EXPECT_FALSE(is_backward_of_fused_attention(name)) << name;
  }
  EXPECT_FALSE(is_fused_attention("aten::_scaled_dot_product_attention_math")) << "its ops are seen";
}

/// Of q kᵀ the recipe takes what it does not take of P v.
TEST(FusedAttention, IsRoundedAsFarAsARecipeTakesItsSizes) {
  RecipeProducts products({"mxfp8"});
  const at::Tensor query = torch::randn({1, 2, 32, 64}), value = torch::randn({1, 2, 32, 24});
  const FusedAttention on =
      *FusedAttention::of(op_named(kKernel).schema(), Values{query, query, value, 0.0, false, {}, {}});
  const auto layers = attention_layers(products, {}, on);
  const at::Tensor exact = on.output(multiply_exactly);
  RecipeFindings found;
  attention_in_recipes(products, {on, layers, query, query, exact, exact}, found);
  ASSERT_EQ(found.rows.size(), 2u);
  EXPECT_TRUE(found.rows[0].row.is_quantized);
  EXPECT_FALSE(found.rows[1].row.is_quantized);
  EXPECT_NE(found.rows[1].row.reason, "");
  EXPECT_EQ(found.compared.size(), 1u);
}

}  // namespace fused_attention_test
}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#include "profiler/recipes/attention_products.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "precision/formats/recipes/recipe.h"
#include "precision/recipes/attend.h"
#include "tests/precision/replay/attention/attention_calls.h"

namespace ampprof::profiler {
namespace attention_products_test {

using Values = std::vector<c10::IValue>;
using amp::recipes::Formats;
using attention::AttentionCalls;
using attention::FusedAttention;
using attention::kAttentionKernel;
using attention::multiply_exactly;

struct Attention : AttentionCalls {};

/// Returns a layer as the engine makes it, with the recipe for fprop, or for dgrad and wgrad.
std::shared_ptr<const amp::recipes::Layer> layer_in(const recipes::Recipe& recipe, bool is_forward) {
  const auto shared = std::make_shared<const recipes::Recipe>(recipe);
  Formats formats;
  if (is_forward) {
    formats.of[0] = shared;
  } else {
    formats.of[1] = formats.of[2] = shared;
  }
  return std::make_shared<const amp::recipes::Layer>(
      amp::recipes::Layer{formats, products::Second::Activation, {}, "layer"});
}

at::Tensor attended(const Values& arguments, const recipes::Recipe& recipe, bool is_forward) {
  return amp::recipes::attend({layer_in(recipe, is_forward), layer_in(recipe, is_forward)},
                              products::Arguments(op_named("aten::scaled_dot_product_attention").schema(), arguments));
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
  ASSERT_EQ(found.pairs.size(), 2u);
  EXPECT_TRUE(at::equal(found.pairs[0].high, exact));
  EXPECT_TRUE(at::equal(found.pairs[0].low, found.pairs[1].high)) << "each goes on from the one before";
  EXPECT_TRUE(at::equal(found.pairs[1].low, low));
  EXPECT_EQ(found.pairs[0].rounded.size(), GetParam().key_heads == 4 ? 2u : 0u);
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
  attention_backward_in_recipes(products, {on, layers, op_named(kAttentionKernel).schema(), dy, exact}, found);
  EXPECT_EQ(found.rows.size(), 4u) << "dgrad and wgrad of two products";
  ASSERT_EQ(found.pairs.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const OutputPair& compared = found.pairs[i];
    EXPECT_EQ(compared.products.size(), i == 1 ? 2u : 1u) << "the weights' dgrad goes on to the key";
    const at::Tensor whole = compared.products.back().find(arguments(), dy);
    EXPECT_TRUE(at::allclose(whole, engine[i], 1e-5, 1e-6)) << i;
    EXPECT_FALSE(at::allclose(whole, exact[i], 1e-3, 1e-4)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Attention, testing::ValuesIn(attention::attention_cases()),
                         [](const auto& info) { return info.param.name; });

/// The recipe converts q kᵀ but not P v, whose sizes it does not support.
TEST(AttentionProducts, AreRoundedAsFarAsARecipeTakesItsSizes) {
  RecipeProducts products({"mxfp8"});
  const at::Tensor query = torch::randn({1, 2, 32, 64}), value = torch::randn({1, 2, 32, 24});
  const FusedAttention on =
      *FusedAttention::of(op_named(kAttentionKernel).schema(), Values{query, query, value, 0.0, false, {}, {}});
  const auto layers = attention_layers(products, {}, on);
  const at::Tensor exact = on.output(multiply_exactly);
  RecipeFindings found;
  attention_in_recipes(products, {on, layers, query, query, exact, exact}, found);
  ASSERT_EQ(found.rows.size(), 2u);
  EXPECT_TRUE(found.rows[0].row.is_quantized);
  EXPECT_FALSE(found.rows[1].row.is_quantized);
  EXPECT_NE(found.rows[1].row.reason, "");
  EXPECT_EQ(found.pairs.size(), 1u);
}

}  // namespace attention_products_test
}  // namespace ampprof::profiler

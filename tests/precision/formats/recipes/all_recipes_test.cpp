// SPDX-License-Identifier: Apache-2.0
// Tests the built-in recipes: their operands and their names.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "precision/formats/recipes/operand_text.h"
#include "precision/formats/recipes/recipe.h"
#include "precision/formats/recipes/recipe_error.h"

namespace ampprof::recipes {
namespace all_recipes_test {

std::string message_of(std::string_view name) {
  try {
    recipe_named(name);
  } catch (const RecipeError& error) {
    return error.what();
  }
  return "";
}

/// Operands of a recipe, in the order of Slot.
struct Expected {
  const char* name;
  std::array<const char*, 6> operands;
};

void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.name; }

class ShippedRecipe : public testing::TestWithParam<Expected> {};

TEST_P(ShippedRecipe, HasTheOperandsOfItsPublication) {
  const Recipe recipe = recipe_named(GetParam().name);
  EXPECT_EQ(recipe.name, GetParam().name);
  for (std::size_t i = 0; i < kSlots.size(); ++i) {
    EXPECT_EQ(to_text(recipe.operands[i]), GetParam().operands[i]) << kSlots[i].matmul << ' ' << kSlots[i].tensor;
  }
}

constexpr auto kTensorE4M3 = "fp8e4m3 scale tensor";
constexpr auto kTensorE5M2 = "fp8e5m2 scale tensor";
constexpr auto kDelayedE4M3 = "fp8e4m3 scale tensor_delayed history 1024";
constexpr auto kDelayedE5M2 = "fp8e5m2 scale tensor_delayed history 1024";
constexpr auto kLine128 = "fp8e4m3 scale block_power_of_two block 1x128";
constexpr auto kSquare128 = "fp8e4m3 scale block_power_of_two block 128x128";
constexpr auto kLine32 = "fp8e4m3 scale block_e8m0 block 1x32";
constexpr auto kLine32E5M2 = "fp8e5m2 scale block_e8m0 block 1x32";
constexpr auto kLine16 = "fp4e2m1 scale block_e4m3 block 1x16";
constexpr auto kSquare16 = "fp4e2m1 scale block_e4m3 block 16x16";
constexpr auto kStochastic16 = "fp4e2m1 scale block_e4m3 block 1x16 round stochastic";
constexpr auto kHadamard16 = "fp4e2m1 scale block_e4m3 block 1x16 transform hadamard";
constexpr auto kBoth16 = "fp4e2m1 scale block_e4m3 block 1x16 round stochastic transform hadamard";
constexpr auto kFloat128 = "fp8e4m3 scale block_fp32 block 1x128";
constexpr auto kFloatSquare128 = "fp8e4m3 scale block_fp32 block 128x128";

INSTANTIATE_TEST_SUITE_P(
    All, ShippedRecipe,
    testing::Values(
        Expected{"fp16", {"fp16", "fp16", "fp16", "fp16", "fp16", "fp16"}},
        Expected{"bf16", {"bf16", "bf16", "bf16", "bf16", "bf16", "bf16"}},
        Expected{"tf32", {"tf32", "tf32", "tf32", "tf32", "tf32", "tf32"}},
        Expected{"fp8_current", {kTensorE4M3, kTensorE4M3, kTensorE5M2, kTensorE4M3, kTensorE4M3, kTensorE5M2}},
        Expected{"fp8_delayed", {kDelayedE4M3, kDelayedE4M3, kDelayedE5M2, kDelayedE4M3, kDelayedE4M3, kDelayedE5M2}},
        Expected{"fp8_blockwise", {kLine128, kSquare128, kLine128, kSquare128, kLine128, kLine128}},
        Expected{"fp8_blockwise,fp32_scales",
                 {kFloat128, kFloatSquare128, kFloat128, kFloatSquare128, kFloat128, kFloat128}},
        Expected{"mxfp8", {kLine32, kLine32, kLine32, kLine32, kLine32, kLine32}},
        Expected{"mxfp8,e5m2_gradients", {kLine32, kLine32, kLine32E5M2, kLine32, kLine32, kLine32E5M2}},
        Expected{"nvfp4", {kLine16, kSquare16, kStochastic16, kSquare16, kHadamard16, kBoth16}},
        Expected{"nvfp4,1d_weights", {kLine16, kLine16, kStochastic16, kLine16, kHadamard16, kBoth16}},
        Expected{"nvfp4,nearest", {kLine16, kSquare16, kLine16, kSquare16, kHadamard16, kHadamard16}},
        Expected{"nvfp4,no_hadamard,nearest,1d_weights", {kLine16, kLine16, kLine16, kLine16, kLine16, kLine16}}),
    [](const auto& info) {
      std::string name = info.param.name;
      std::ranges::replace(name, ',', '_');
      return name;
    });

TEST(Recipes, KnowTheirGpuAndTheirSizes) {
  const auto expect = [](const char* name, int least_sm, bool has_convolutions, Multiples multiples) {
    const Recipe recipe = recipe_named(name);
    EXPECT_EQ(recipe.least_sm, least_sm) << name;
    EXPECT_EQ(recipe.has_convolutions, has_convolutions) << name;
    EXPECT_EQ(recipe.multiples, multiples) << name;
  };
  expect("fp16", 70, true, {1, 1, 1});
  expect("bf16", 80, true, {1, 1, 1});
  expect("tf32", 80, true, {1, 1, 1});
  expect("fp8_current", 89, false, {16, 16, 8});
  expect("fp8_delayed", 89, false, {16, 16, 8});
  expect("fp8_blockwise", 90, false, {128, 128, 128});
  expect("mxfp8", 100, false, {32, 32, 32});
  expect("nvfp4", 100, false, {16, 16, 16});
}

TEST(Recipes, SayWhatThereIsWhereANameIsWrong) {
  EXPECT_EQ(message_of("mxfp9"),
            "Unknown recipe \"mxfp9\"; use tf32, fp16, bf16, fp8_current, fp8_delayed, fp8_blockwise, mxfp8 or "
            "nvfp4, or a recipe file.");
  EXPECT_EQ(message_of("nvfp4,2d"),
            "The recipe nvfp4 has no switch \"2d\"; use 1d_weights, nearest or no_hadamard, as in nvfp4,1d_weights.");
  EXPECT_EQ(message_of("bf16,"), "The recipe bf16 has no switch \"\"; it has none.");
  EXPECT_EQ(message_of("nvfp4"), "");
}

TEST(Recipes, ListEachNameAndSwitchOnce) {
  const std::string list = list_of_recipes();
  std::set<std::string_view> names;
  for (const Shipped& shipped : all_recipes()) {
    EXPECT_TRUE(names.insert(shipped.recipe.name).second) << shipped.recipe.name;
    EXPECT_NE(list.find(shipped.recipe.name + ' '), list.npos) << list;
    for (const Switch& one : shipped.switches) {
      EXPECT_NE(list.find("  ," + std::string(one.name) + ' '), list.npos) << list;
    }
  }
  EXPECT_EQ(names.size(), 8U);
}

TEST(Recipes, HaveOperandsThatCanBe) {
  for (const Shipped& shipped : all_recipes()) {
    for (const Operand& operand : shipped.recipe.operands) EXPECT_NO_THROW(check_operand(operand));
  }
}

TEST(Slots, AreContractedAlongWhatTheirProductSumsOver) {
  // y[l, r] = Σ_c x[l, c] W[r, c]; dx[l, c] = Σ_r dy[l, r] W[r, c]; dW[r, c] = Σ_l dy[l, r] x[l, c]
  EXPECT_EQ(info_of(Slot::FpropInput).direction, Direction::Rowwise);
  EXPECT_EQ(info_of(Slot::FpropWeight).direction, Direction::Rowwise);
  EXPECT_EQ(info_of(Slot::DgradGradOutput).direction, Direction::Rowwise);
  EXPECT_EQ(info_of(Slot::DgradWeight).direction, Direction::Columnwise);
  EXPECT_EQ(info_of(Slot::WgradInput).direction, Direction::Columnwise);
  EXPECT_EQ(info_of(Slot::WgradGradOutput).direction, Direction::Columnwise);
}

}  // namespace all_recipes_test
}  // namespace ampprof::recipes

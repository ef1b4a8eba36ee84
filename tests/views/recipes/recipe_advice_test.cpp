// SPDX-License-Identifier: Apache-2.0
#include "views/recipes/recipe_advice.h"

#include <gtest/gtest.h>

namespace ampprof::views {
namespace recipe_advice_test {

advice::RecipeAdvice advice_of_one_layer() {
  advice::RecipeAdvice advice{.gpu = "B200", .tolerances = {0.5, 0.25}};
  advice.formats = {recipes::recipe_named("bf16"), recipes::recipe_named("mxfp8")};
  advice::GroupAdvice group{.pattern = "blocks.*.fc", .modules = {"blocks.0.fc", "blocks.1.fc"}, .op = "linear"};
  const advice::ErrorCost error_cost{.mean = 0.25, .variance = 0.0625, .squares = 1.0, .squares_high = 2.0};
  group.matmuls[advice::kFprop] = advice::MatmulAdvice{
      .format = "mxfp8", .because = "It is fast.", .us = 3.0, .plain_us = 5.0, .error_cost = error_cost};
  group.matmuls[advice::kWgrad] =
      advice::MatmulAdvice{.format = "mxfp8", .us = 3.0, .plain_us = 5.0, .error_cost = error_cost};
  advice.groups = {group};
  advice.total = {6.0, error_cost, error_cost};
  advice.plain_us = 10.0;
  advice.share = 0.5;
  advice.curve = {{"", {5.0, {}, {}}, 2.0}, {"", {6.0, {}, {}}, 0.5}};
  advice.uniform = {{"all bf16", {10.0, {}, {}}, 0.0}, {"all mxfp8", {4.0, {}, {}}, 3.0}};
  advice.notes = {"Some impacts are of one step."};
  return advice;
}

TEST(RecipeAdviceTable, HasTheMatmulsThatThereAre) {
  const View view = recipe_advice_view(advice_of_one_layer());
  ASSERT_EQ(view.records.size(), 2U);
  EXPECT_EQ(view.records[0].json["matmul"], "fprop");
  EXPECT_EQ(view.records[1].json["matmul"], "wgrad");
  EXPECT_EQ(view.records[0].json["modules"], (Json{"blocks.0.fc", "blocks.1.fc"}));
  EXPECT_EQ(view.records[0].json["because"], "It is fast.");
}

TEST(RecipeAdviceTable, KeepsTheLossApartFromGradients) {
  const View view = recipe_advice_view(advice_of_one_layer());
  EXPECT_EQ(view.records[0].json["loss_change"], 0.25);
  EXPECT_EQ(view.records[0].json["loss_uncertainty"], 0.25);
  EXPECT_TRUE(view.records[0].json["decrease_change"].is_null());
  EXPECT_EQ(view.records[1].json["decrease_change"], -0.25) << "harm is a smaller decrease";
  EXPECT_TRUE(view.records[1].json["loss_change"].is_null());
}

TEST(RecipeAdviceText, SaysWhatASetTakesAndDoes) {
  const std::string text = formatted(advice_of_one_layer(), Format::Table, {.width = 400});
  for (const char* part :
       {"The matmuls of a step take 6 µs on B200, against 10 µs in BF16, including the quantized copies of their "
        "operands.",
        "Predicted change of the loss: +2.5e-01 ±", "of the loss decrease per step: -2.5e-01 ±", "tolerance 5.0e-01",
        "Trade-off (time per step at the used share of the tolerance): 5 µs at 200%, 6 µs at 50%.",
        "With a single format wherever possible: mxfp8 4 µs at 300%.", "- Some impacts are of one step."}) {
    EXPECT_NE(text.find(part), text.npos) << part << '\n' << text;
  }
}

TEST(RecipeAdviceJson, HasTheCurve) {
  const Json json = to_json(advice_of_one_layer());
  EXPECT_EQ(json["curve"][0]["us"], 5.0);
  EXPECT_EQ(json["curve"][1]["share_of_tolerance"], 0.5);
  EXPECT_EQ(json["uniform"][1]["name"], "all mxfp8");
  EXPECT_EQ(json["decrease"]["change"], -0.25);
  EXPECT_EQ(json["loss"]["tolerance"], 0.5);
}

}  // namespace recipe_advice_test
}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/recipe_advice.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "precision/advice/recipes/group_choices.h"
#include "tests/precision/advice/recipes/layers.h"

namespace ampprof::advice {
namespace recipe_advice_test {

using testing::Test;

std::string formats_of(const GroupAdvice& group) {
  std::string text;
  for (const auto& matmul : group.matmuls) text += (text.empty() ? "" : " ") + (matmul ? matmul->format : "-");
  return text;
}

std::string because(const RecipeAdvice& advice, std::size_t group, std::size_t matmul) {
  return advice.groups.at(group).matmuls.at(matmul)->because;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(RecipeAdvice, TakesTheFastestFormatThatDoesLittle) {
  const RecipeAdvice advice =
      advise_recipes(evidence({layer("a", {{"mxfp8", 1e-6}, {"nvfp4", 1e-5}})}, {"mxfp8", "nvfp4"}));
  ASSERT_EQ(advice.groups.size(), 1U);
  EXPECT_EQ(formats_of(advice.groups[0]), "nvfp4 nvfp4 nvfp4");
  EXPECT_LT(advice.total.us, advice.plain_us);
  EXPECT_LE(advice.share, 1.0);
  EXPECT_EQ(advice.least_us, advice.total.us);
}

TEST(RecipeAdvice, KeepsWhatHarmsInHighPrecision) {
  RecipeLayer harmed = layer("a", {{"nvfp4", 1e-5}});
  for (StepImpact& step : harmed.impacts[kFprop]["nvfp4"].steps) step.change = 1.0;
  const RecipeAdvice advice = advise_recipes(evidence({harmed}, {"nvfp4"}));
  EXPECT_EQ(formats_of(advice.groups[0]), "bf16 nvfp4 nvfp4");
  EXPECT_TRUE(has(because(advice, 0, kFprop), "nvfp4 would save")) << because(advice, 0, kFprop);
  EXPECT_TRUE(has(because(advice, 0, kFprop), "tolerance"));
  EXPECT_FALSE(advice.groups[0].matmuls[kFprop]->error_cost);
}

TEST(RecipeAdvice, NeverAddsTheLossToGradients) {
  // Fprop uses most of the tolerance of the loss, 1e-2. Dgrad and wgrad together use most of that of the decrease,
  // 5e-3.
  RecipeLayer both = layer("a", {{"nvfp4", 2e-3}});
  for (StepImpact& step : both.impacts[kFprop]["nvfp4"].steps) step.change = 9e-3;
  const RecipeAdvice advice = advise_recipes(evidence({both}, {"nvfp4"}));
  EXPECT_EQ(formats_of(advice.groups[0]), "nvfp4 nvfp4 nvfp4");
  EXPECT_NEAR(advice.total.loss.mean, 9e-3, 1e-9);
  EXPECT_NEAR(advice.total.gradient.mean, 4e-3, 1e-9);
}

TEST(RecipeAdvice, LikeLayersShareTheirFormats) {
  const std::vector<RecipeLayer> layers{layer("blocks.0.fc", {{"nvfp4", 2e-3}}),
                                        layer("blocks.1.fc", {{"nvfp4", 2e-2}})};
  const RecipeAdvice together = advise_recipes(evidence(layers, {"nvfp4"}));
  ASSERT_EQ(together.groups.size(), 1U);
  EXPECT_EQ(together.groups[0].pattern, "blocks.*.fc");
  EXPECT_EQ(together.groups[0].modules, (std::vector<std::string>{"blocks.0.fc", "blocks.1.fc"}));
  EXPECT_EQ(formats_of(together.groups[0]), "bf16 bf16 bf16");
  const RecipeAdvice apart = advise_recipes(evidence(layers, {"nvfp4"}), {.each_layer = true});
  ASSERT_EQ(apart.groups.size(), 2U);
  EXPECT_EQ(formats_of(apart.groups[0]), "nvfp4 nvfp4 nvfp4");
  EXPECT_EQ(formats_of(apart.groups[1]), "bf16 bf16 bf16");
}

TEST(RecipeAdvice, OppositeMeansOfLikeLayersAddUpStepByStep) {
  const RecipeAdvice advice = advise_recipes(
      evidence({layer("blocks.0.fc", {{"nvfp4", 1.0}}), layer("blocks.1.fc", {{"nvfp4", -1.0}})}, {"nvfp4"}));
  EXPECT_EQ(formats_of(advice.groups[0]), "nvfp4 nvfp4 nvfp4");
  EXPECT_EQ(advice.total.loss.mean, 0.0);
}

TEST(RecipeAdvice, SaysWhyALayerCannotBeRounded) {
  RecipeLayer odd = layer("odd", {{"nvfp4", 0.0}});
  odd.rows = 10;
  RecipeLayer convolution = layer("conv", {{"nvfp4", 0.0}});
  convolution.kind = LayerKind::Convolution;
  RecipeLayer product = layer("product", {{"nvfp4", 0.0}});
  product.kind = LayerKind::Product;
  const RecipeAdvice advice =
      advise_recipes(evidence({odd, convolution, product, layer("", {{"nvfp4", 0.0}}), layer("new", {})}, {"nvfp4"}));
  const char* const reasons[]{"10, is not a multiple of 16", "No current GPU supports convolutions",
                              "matmuls of two activations", "outside all modules", "was not measured"};
  for (std::size_t g = 0; g < advice.groups.size(); ++g) {
    EXPECT_EQ(formats_of(advice.groups[g]), "bf16 bf16 bf16");
    EXPECT_TRUE(has(because(advice, g, kFprop), reasons[g])) << because(advice, g, kFprop);
  }
  EXPECT_EQ(advice.total.us, advice.plain_us);
}

TEST(RecipeAdvice, TakesNoFormatThatTheGpuHasNot) {
  RecipeEvidence on_hopper = evidence({layer("a", {{"nvfp4", 0.0}, {"fp8_current", 0.0}})}, {"nvfp4", "fp8_current"});
  on_hopper.gpu.sm = 90;
  on_hopper.gpu.fp4 = 0;
  const RecipeAdvice advice = advise_recipes(on_hopper);
  for (const auto& matmul : advice.groups[0].matmuls) EXPECT_NE(matmul->format, "nvfp4");
}

TEST(RecipeAdvice, TakesNoFormatThatTransformerEngineRefuses) {
  RecipeEvidence on_rtx = evidence({layer("a", {{"mxfp8", 0.0}})}, {"mxfp8"});
  EXPECT_EQ(formats_of(advise_recipes(on_rtx).groups[0]), "mxfp8 mxfp8 mxfp8");
  on_rtx.gpu.sm = 120;
  const RecipeAdvice advice = advise_recipes(on_rtx);
  EXPECT_EQ(formats_of(advice.groups[0]), "bf16 bf16 bf16");
  EXPECT_TRUE(has(because(advice, 0, kFprop), "does not run mxfp8")) << because(advice, 0, kFprop);
}

TEST(RecipeAdvice, SaysWhereNothingIsFaster) {
  RecipeLayer narrow = layer("a", {{"mxfp8", 0.0}});
  narrow.rows = 32;  // copies of the input take longer than the matmul saves
  const RecipeAdvice advice = advise_recipes(evidence({narrow}, {"mxfp8"}));
  EXPECT_EQ(formats_of(advice.groups[0]), "bf16 bf16 bf16");
  EXPECT_EQ(because(advice, 0, kFprop), "No format is faster if the time for its rounded copies is included.");
  RecipeLayer measured = layer("a", {{"nvfp4", 0.0}, {"fp8_current", 0.0}});
  measured.rows = narrow.rows;
  RecipeEvidence on_hopper = evidence({measured}, {"nvfp4", "fp8_current"});
  on_hopper.gpu.sm = 90;
  on_hopper.gpu.fp4 = 0;
  EXPECT_TRUE(has(because(advise_recipes(on_hopper), 0, kFprop), "No format is faster")) << "fp8_current is possible";
  RecipeEvidence without_saving = evidence({narrow}, {"mxfp8"});
  without_saving.are_copies_free = true;
  without_saving.gpu.fp8 = without_saving.gpu.half;
  without_saving.gpu.gb_per_s = 1e12;  // else fewer bytes save time
  EXPECT_EQ(because(advise_recipes(without_saving), 0, kFprop), "No format is faster at these sizes.");
}

TEST(RecipeAdvice, KeepsBackwardPlainWhereTheDecreaseIsNotKnown) {
  RecipeEvidence forward_only = evidence({layer("a", {{"nvfp4", 0.0}})}, {"nvfp4"});
  forward_only.decrease = std::nullopt;
  const RecipeAdvice advice = advise_recipes(forward_only);
  EXPECT_EQ(formats_of(advice.groups[0]), "nvfp4 bf16 bf16");
  ASSERT_FALSE(advice.notes.empty());
  EXPECT_TRUE(has(advice.notes[0], "dgrad and wgrad stay BF16"));
}

TEST(RecipeAdvice, KeepsBackwardPlainWhereStepsDoNotDecreaseTheLoss) {
  RecipeEvidence growing = evidence({layer("a", {{"nvfp4", 1e-5}})}, {"nvfp4"});
  growing.decrease = -0.1;
  const RecipeAdvice advice = advise_recipes(growing);
  EXPECT_EQ(formats_of(advice.groups[0]), "nvfp4 bf16 bf16");
  ASSERT_FALSE(advice.notes.empty());
  EXPECT_TRUE(has(advice.notes[0], "do not decrease the loss"));
}

TEST(RecipeAdvice, LeavesOutWhatIsNotFinite) {
  RecipeLayer broken = layer("a", {{"nvfp4", 0.0}});
  broken.impacts[kFprop]["nvfp4"].steps[0].change = std::numeric_limits<double>::infinity();
  const RecipeAdvice advice = advise_recipes(evidence({broken}, {"nvfp4"}));
  EXPECT_EQ(formats_of(advice.groups[0]), "bf16 nvfp4 nvfp4");
  EXPECT_TRUE(has(because(advice, 0, kFprop), "is not finite")) << because(advice, 0, kFprop);
}

TEST(RecipeAdvice, LeavesOutMatmulsThatThereAreNot) {
  RecipeLayer first = layer("a", {{"nvfp4", 0.0}});
  first.has[kDgrad] = false;
  EXPECT_EQ(formats_of(advise_recipes(evidence({first}, {"nvfp4"})).groups[0]), "nvfp4 - nvfp4");
}

TEST(RecipeAdvice, DelayedScalingIsForAllOfALayerOrNone) {
  RecipeLayer harmed = layer("a", {{"fp8_delayed", 0.0}});
  for (StepImpact& step : harmed.impacts[kWgrad]["fp8_delayed"].steps) step.change = 1.0;
  RecipeLayer fine = layer("b", {{"fp8_delayed", 0.0}});
  const RecipeAdvice advice = advise_recipes(evidence({harmed, fine}, {"fp8_delayed"}));
  EXPECT_EQ(formats_of(advice.groups[0]), "bf16 bf16 bf16");
  EXPECT_EQ(formats_of(advice.groups[1]), "fp8_delayed fp8_delayed fp8_delayed");
  const std::string reason = because(advice, 0, kFprop);
  EXPECT_TRUE(has(reason, "fp8_delayed would save") && has(reason, "the loss decrease per step")) << reason;
}

/// Returns layers with random sizes and loss impacts.
std::vector<RecipeLayer> random_layers(std::mt19937& random, int count) {
  std::lognormal_distribution<double> size(-8.0, 2.0);
  std::normal_distribution<double> sign(0.5, 1.0);
  std::vector<RecipeLayer> layers;
  for (int i = 0; i < count; ++i) {
    const double error_cost = size(random);
    layers.push_back(layer("m" + std::to_string(i),
                           {{"mxfp8", error_cost * sign(random)}, {"nvfp4", 8 * error_cost * sign(random)}}));
    layers.back().rows = 256 << (random() % 5);
  }
  return layers;
}

TEST(RecipeAdvice, IsTheBestOfAllFormatsOfAllMatmuls) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    const RecipeEvidence all = evidence(random_layers(random, 3), {"mxfp8", "nvfp4"});
    const RecipeAdvice advice = advise_recipes(all);
    const auto formats = with_plain_first(all.formats);
    double least = std::numeric_limits<double>::infinity();
    std::vector<std::vector<Choice>> choices;
    for (const LayerGroup& group : groups_of(all.layers)) choices.push_back(choices_of(group, all, formats).choices);
    for (std::size_t a = 0; a < choices[0].size(); ++a) {
      for (std::size_t b = 0; b < choices[1].size(); ++b) {
        for (std::size_t c = 0; c < choices[2].size(); ++c) {
          const Choice total = total_of(choices, {a, b, c});
          if (share_of(total, advice.tolerances) <= 1.0) least = std::min(least, total.us);
        }
      }
    }
    EXPECT_NEAR(advice.total.us, least, 1e-9 * least) << round;
  }
}

TEST(RecipeAdvice, CurveGoesFromTheFastestToNoDamage) {
  std::mt19937 random(5);
  const RecipeAdvice advice = advise_recipes(evidence(random_layers(random, 8), {"mxfp8", "nvfp4"}));
  ASSERT_GT(advice.curve.size(), 3U);
  for (std::size_t i = 1; i < advice.curve.size(); ++i) {
    EXPECT_LT(advice.curve[i].share, advice.curve[i - 1].share);
    EXPECT_GE(advice.curve[i].total.us, advice.curve[i - 1].total.us);
  }
  for (const CurvePoint& point : advice.curve) {
    EXPECT_TRUE(point.share > 1.0 || point.total.us >= advice.total.us * (1 - 1e-12)) << point.share;
  }
}

TEST(RecipeAdvice, ComparesWithOneFormatForAll) {
  const RecipeAdvice advice =
      advise_recipes(evidence({layer("a", {{"mxfp8", 1e-3}, {"nvfp4", 1.0}})}, {"mxfp8", "nvfp4"}));
  ASSERT_EQ(advice.uniform.size(), 3U);
  EXPECT_EQ(advice.uniform[0].name, "all bf16");
  EXPECT_EQ(advice.uniform[0].total.us, advice.plain_us);
  EXPECT_EQ(advice.uniform[2].name, "all nvfp4");
  EXPECT_GT(advice.uniform[2].share, 1.0);
  EXPECT_LT(advice.uniform[2].total.us, advice.uniform[1].total.us);
}

TEST(RecipeAdvice, ALargerToleranceIsNeverSlower) {
  std::mt19937 random(9);
  const RecipeEvidence all = evidence(random_layers(random, 6), {"mxfp8", "nvfp4"});
  double before = std::numeric_limits<double>::infinity();
  for (const double tolerance : {0.0, 1e-4, 1e-3, 1e-2, 1e-1}) {
    const double us = advise_recipes(all, {.loss_tolerance = tolerance}).total.us;
    EXPECT_LE(us, before * (1 + 1e-12));
    before = us;
  }
}

}  // namespace recipe_advice_test
}  // namespace ampprof::advice

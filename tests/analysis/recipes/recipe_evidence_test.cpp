// SPDX-License-Identifier: Apache-2.0
#include "analysis/recipes/recipe_evidence.h"

#include <gtest/gtest.h>

#include "amp_core/levels/error.h"
#include "precision/formats/recipes/recipe_error.h"
#include "reports/queries/recipes.h"

namespace ampprof::analysis {
namespace recipe_evidence_test {

using advice::kDgrad;
using advice::kFprop;
using advice::kWgrad;
using queries::RecipeMatmulRow;

RecipeMatmulRow row(const std::string& recipe, Matmul matmul, const std::string& module = "fc") {
  RecipeMatmulRow row;
  row.recipe = recipe;
  row.matmul = matmul;
  row.module = module;
  row.op = "linear";
  row.call_site = "forward " + module + " linear";
  row.rows = 64;
  row.columns = 32;
  row.leading = 128;
  row.calls = 6;
  row.steps = 2;
  row.has_impact = true;
  row.by_step = {{.step = 1, .change = 0.5, .square = 1.0}, {.step = 2, .change = 0.25, .square = 1.0}};
  if (matmul != Matmul::Fprop) row.decrease = 2.0;
  return row;
}

advice::RecipeEvidence evidence_of(const std::vector<RecipeMatmulRow>& rows) {
  return recipe_evidence(rows, 3.0, gpu_for_recipes("B200", ""));
}

TEST(RecipeEvidence, MakesALayerOfTheMatmulsOfAllRuns) {
  const auto evidence = evidence_of({row("mxfp8", Matmul::Fprop), row("mxfp8", Matmul::Dgrad),
                                     row("mxfp8", Matmul::Wgrad), row("nvfp4", Matmul::Fprop)});
  ASSERT_EQ(evidence.layers.size(), 1U);
  const advice::RecipeLayer& layer = evidence.layers[0];
  EXPECT_EQ(layer.rows, 64);
  EXPECT_EQ(layer.calls, 3);
  EXPECT_EQ(layer.kind, advice::LayerKind::Linear);
  EXPECT_EQ(layer.impacts[kFprop].size(), 2U);
  EXPECT_EQ(layer.impacts[kDgrad].size(), 1U);
  ASSERT_EQ(evidence.formats.size(), 2U);
  EXPECT_EQ(evidence.formats[1].name, "nvfp4");
  EXPECT_EQ(evidence.decrease, 2.0);
  EXPECT_EQ(evidence.loss, 3.0);
}

TEST(RecipeEvidence, ASmallerDecreaseIsHarm) {
  const auto evidence = evidence_of({row("mxfp8", Matmul::Fprop), row("mxfp8", Matmul::Wgrad)});
  EXPECT_EQ(evidence.layers[0].impacts[kFprop].at("mxfp8").steps[0].change, 0.5);
  EXPECT_EQ(evidence.layers[0].impacts[kWgrad].at("mxfp8").steps[0].change, -0.5);
}

TEST(RecipeEvidence, KnowsWhichMatmulsThereAre) {
  const auto first = evidence_of({row("mxfp8", Matmul::Fprop), row("mxfp8", Matmul::Wgrad)});
  EXPECT_EQ(first.layers[0].has, (advice::OfMatmuls<bool>{true, false, true}));
  const auto forward_alone = evidence_of({row("mxfp8", Matmul::Fprop)});
  EXPECT_EQ(forward_alone.layers[0].has, (advice::OfMatmuls<bool>{true, true, true}));
  EXPECT_FALSE(forward_alone.decrease);
  const auto frozen =
      evidence_of({row("mxfp8", Matmul::Fprop, "teacher"), row("mxfp8", Matmul::Fprop), row("mxfp8", Matmul::Wgrad)});
  EXPECT_EQ(frozen.layers[0].has, (advice::OfMatmuls<bool>{true, false, false})) << "others have a backward";
  EXPECT_EQ(frozen.layers[0].is_rounded, frozen.layers[0].has);
}

TEST(RecipeEvidence, LeavesOutWhatIsNotTraining) {
  RecipeMatmulRow evaluation = row("mxfp8", Matmul::Fprop);
  evaluation.phase = Phase::Inference;
  EXPECT_TRUE(evidence_of({evaluation}).layers.empty());
  EXPECT_FALSE(has_recipe_impacts({evaluation}));
  EXPECT_TRUE(has_recipe_impacts({row("mxfp8", Matmul::Fprop)}));
}

TEST(RecipeEvidence, HasNoImpactOfWhatIsNotQuantized) {
  RecipeMatmulRow left = row("mxfp8", Matmul::Fprop);
  left.is_quantized = false;
  EXPECT_TRUE(evidence_of({left}).layers[0].impacts[kFprop].empty());
}

TEST(RecipeEvidence, TellsConvolutionsAndProductsFromLinearLayers) {
  RecipeMatmulRow convolution = row("mxfp8", Matmul::Fprop, "conv");
  convolution.op = "conv2d";
  RecipeMatmulRow product = row("mxfp8", Matmul::Fprop, "attention");
  product.op = "matmul";
  product.groups = 8;
  const auto evidence = evidence_of({convolution, product});
  EXPECT_EQ(evidence.layers[0].kind, advice::LayerKind::Convolution);
  EXPECT_EQ(evidence.layers[1].kind, advice::LayerKind::Product);
}

TEST(RecipeEvidence, IsForTheGpuThatIsNamedOrTheRunsOwn) {
  const char* h100 = "NVIDIA H100 80GB HBM3";
  EXPECT_EQ(gpu_for_recipes("RTX 5090", h100).name, "RTX 5090");
  EXPECT_EQ(gpu_for_recipes("", h100).name, "H100");
  EXPECT_EQ(gpu_for_recipes("", "NVIDIA A100-SXM4-80GB").name, "B200") << "an A100 has no matmuls below 16 bits";
  EXPECT_EQ(gpu_for_recipes("", "cpu").name, "B200");
  EXPECT_THROW(gpu_for_recipes("GTX 1080", "cpu"), amp::Error);
}

TEST(RecipeEvidence, RefusesARecipeThatIsNotThere) {
  EXPECT_THROW(evidence_of({row("mine", Matmul::Fprop)}), recipes::RecipeError);
}

}  // namespace recipe_evidence_test
}  // namespace ampprof::analysis

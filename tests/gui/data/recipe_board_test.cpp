// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/recipe_board.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gui/data/recipe_curve.h"
#include "gui/data/recipe_marks.h"
#include "reports/text/usage_error.h"
#include "tests/gui/recipes_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace recipe_board_test {

class RecipeBoards : public testing::Test {
 protected:
  std::shared_ptr<const RecipeBoard> boardOf(const std::vector<RecordedLayer>& layers, bool has_impacts = true) {
    const auto path = folder_.path() / "r.ampprof";
    writeTwoRecipes(path, layers, has_impacts);
    return readRecipes(path);
  }
  std::shared_ptr<const RecipeBoard> board() { return boardOf(transformer()); }

  static KeptPlaces placesOf(const RecipeBoard& board, const std::string& module,
                             const std::vector<Matmul>& matmuls = {kMatmuls.begin(), kMatmuls.end()}) {
    KeptPlaces places;
    for (std::size_t place = 0; place < board.candidates().size(); ++place) {
      const KeptMatmul& candidate = board.candidates()[place];
      if (candidate.module == module && std::ranges::find(matmuls, candidate.matmul) != matmuls.end())
        places.push_back(place);
    }
    return places;
  }

  static std::string rulesOf(const std::string& policy) { return policy.substr(policy.find("low_type")); }

  test_support::TemporaryFolder folder_;
};

const RecipeCell& fprop(const RecipeLine& line) { return line.cells[0][0]; }

TEST_F(RecipeBoards, NameTheRecipesOfTheirRuns) {
  const auto board = this->board();
  ASSERT_EQ(board->recipes().size(), 2u);
  EXPECT_EQ(board->recipes()[0].label, "mxfp8");
  EXPECT_EQ(board->recipes()[1].label, "nvfp4");
  EXPECT_EQ(board->candidates().size(), 5u * 3) << "what a recipe leaves cannot be kept";
}

TEST_F(RecipeBoards, ShowAlikeLayersAsOne) {
  const auto board = this->board();
  const auto groups = recipeGroups(*board, {board->recipes()[0]}, true);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[1].line.name, "layers.*.fc1/linear");
  EXPECT_EQ(groups[1].sites.size(), 2u);
  EXPECT_EQ(groups[1].line.sizes, "3072 × 768");
  EXPECT_EQ(fprop(groups[1].line).candidates.size(), 2u);
  EXPECT_EQ(recipeGroups(*board, {board->recipes()[0]}, false).size(), 6u);
}

TEST_F(RecipeBoards, ShareAPlaceIfSizesAreIndistinguishable) {
  const auto board = this->board();
  const auto groups = recipeGroups(*board, {board->recipes()[0]}, false);
  EXPECT_EQ(fprop(groups[5].line).rank, (analysis::ImpactRank{1, false})) << "head";
  EXPECT_EQ(fprop(groups[1].line).rank, (analysis::ImpactRank{4, true})) << "layers.0.fc1";
  EXPECT_EQ(fprop(groups[3].line).rank, (analysis::ImpactRank{4, true})) << "layers.1.fc1";
  EXPECT_EQ(fprop(groups[1].line).tied_size, fprop(groups[3].line).size()) << "one colour for both";
  EXPECT_FALSE(fprop(groups[0].line).isQuantized());
}

TEST_F(RecipeBoards, CompareTwoRecipes) {
  const auto board = this->board();
  const auto groups = recipeGroups(*board, {board->recipes()[0], board->recipes()[1]}, false);
  const auto& cells = groups[5].line.cells;
  ASSERT_TRUE(cells[0][0].size() && cells[1][0].size());
  EXPECT_NEAR(*cells[1][0].size() / *cells[0][0].size(), 4.0, 1e-6);
}

TEST_F(RecipeBoards, AreFilteredByModuleOrOp) {
  const auto board = this->board();
  EXPECT_EQ(recipeGroups(*board, {board->recipes()[0]}, false, "fc2").size(), 2u);
  EXPECT_EQ(recipeGroups(*board, {board->recipes()[0]}, false, "^linear$").size(), 6u);
  EXPECT_THROW(recipeGroups(*board, {board->recipes()[0]}, false, "("), text::UsageError);
}

TEST_F(RecipeBoards, RankByErrorsWhereNoImpactWasMeasured) {
  const auto board = boardOf(transformer(), false);
  const auto groups = recipeGroups(*board, {board->recipes()[0]}, false);
  EXPECT_EQ(fprop(groups[5].line).size(), fprop(groups[5].line).row->relative_error());
  const RecipePrediction prediction = predictionOf(*board, board->recipes()[0], {});
  EXPECT_EQ(lossText(prediction).toStdString(), "expected loss impact of fprop unknown: record with --what-if");
  EXPECT_EQ(gradientText(prediction).toStdString(), "dgrad, wgrad: not measured");
  EXPECT_FALSE(curveOf(*board).why_none.empty());
}

TEST_F(RecipeBoards, PredictTheTwoFiguresApart) {
  const auto board = this->board();
  const TriedRecipe& recipe = board->recipes()[0];
  const RecipePrediction nothing = predictionOf(*board, recipe, {});
  EXPECT_EQ(nothing.before.loss, nothing.after.loss);
  EXPECT_NEAR(nothing.before.loss.size(), std::hypot(2e-2, 8e-3, 1e-3), 2e-3);
  EXPECT_NEAR(nothing.decrease.value_or(0.0), kDecreaseOfStep, 1e-12);
  const RecipePrediction kept = predictionOf(*board, recipe, placesOf(*board, "head", {Matmul::Fprop}));
  EXPECT_NEAR(kept.after.loss.size(), 8e-3, 1e-3);
  EXPECT_EQ(kept.after.gradient, kept.before.gradient) << "fprop does not belong to it";
  EXPECT_TRUE(lossText(kept).contains(" → "));
  EXPECT_FALSE(gradientText(kept).contains(" → "));
}

TEST_F(RecipeBoards, WriteRulesForWhatIsKept) {
  const auto board = this->board();
  const TriedRecipe& recipe = board->recipes()[0];
  EXPECT_EQ(rulesOf(policyOf(*board, recipe, {})), "low_type bf16\nrecipe mxfp8\n");
  KeptPlaces places = placesOf(*board, "head");
  const KeptPlaces of_fc2 = placesOf(*board, "layers.1.fc2", {Matmul::Dgrad});
  places.insert(places.end(), of_fc2.begin(), of_fc2.end());
  EXPECT_EQ(rulesOf(policyOf(*board, recipe, places)),
            "low_type bf16\nrecipe mxfp8\nhead bf16\nlayers.1.fc2 dgrad bf16\n");
}

TEST_F(RecipeBoards, WriteOneRuleForLayersThatAreAlike) {
  const auto board = this->board();
  KeptPlaces places = placesOf(*board, "layers.0.fc2", {Matmul::Dgrad});
  const KeptPlaces others = placesOf(*board, "layers.1.fc2", {Matmul::Dgrad});
  places.insert(places.end(), others.begin(), others.end());
  EXPECT_EQ(rulesOf(policyOf(*board, board->recipes()[0], places)),
            "low_type bf16\nrecipe mxfp8\nlayers.*.fc2 dgrad bf16\n");
}

TEST_F(RecipeBoards, NameTheOpWhereAModuleCallsSeveral) {
  const auto board = boardOf({{"attn", 1e-3}, {"attn", 2e-3, 64, 64, "bmm"}, {"attn.out", 1e-3}});
  KeptPlaces places;
  for (std::size_t place = 0; place < board->candidates().size(); ++place) {
    const KeptMatmul& candidate = board->candidates()[place];
    if (candidate.module == "attn" && candidate.op == "linear") places.push_back(place);
  }
  EXPECT_EQ(rulesOf(policyOf(*board, board->recipes()[0], places)),
            "low_type bf16\nrecipe mxfp8\naten::linear bf16 in attn\nattn.out fprop mxfp8\nattn.out dgrad "
            "mxfp8\nattn.out wgrad mxfp8\n")
      << "what is inside, and not kept, is named again";
}

TEST_F(RecipeBoards, HaveACurveThatMarksMoveAlong) {
  const auto board = this->board();
  const RecipeCurve curve = curveOf(*board);
  EXPECT_EQ(curve.gpu, "B200") << "the run saw no GPU";
  ASSERT_GE(curve.curve.size(), 2u);
  EXPECT_LT(curve.curve.back().share, curve.curve.front().share);
  const auto dot = dotOf(curve, *board, board->recipes()[1], {});
  const auto kept = dotOf(curve, *board, board->recipes()[1], placesOf(*board, "head"));
  ASSERT_TRUE(dot && kept);
  EXPECT_LT(kept->share, dot->share);
  EXPECT_GT(kept->us, dot->us);
  const auto uniform = std::ranges::find(curve.uniform, "all nvfp4", &CurveDot::name);
  ASSERT_NE(uniform, curve.uniform.end());
  EXPECT_NEAR(dot->us, uniform->us, 1e-9 * dot->us) << "nothing is kept";
}

TEST_F(RecipeBoards, AdviseWhatIsWithinTheTolerances) {
  const auto board = this->board();
  const RecipeCurve curve = curveOf(*board);
  const KeptPlaces advised = advisedFor(curve, *board, board->recipes()[1]);
  EXPECT_FALSE(advised.empty());
  EXPECT_LT(advised.size(), board->candidates().size());
  const auto dot = dotOf(curve, *board, board->recipes()[1], advised);
  ASSERT_TRUE(dot);
  EXPECT_LE(dot->share, 1.05) << "like layers' changes add up with their signs where advice is sought";
  EXPECT_TRUE(advisedFor({}, *board, board->recipes()[1]).empty());
}

TEST_F(RecipeBoards, AdviseToKeepTheProductsOfAModuleWhoseLayersAreRounded) {
  const auto board = boardOf({{"attn", 1e-3}, {"attn", 2e-3, 64, 64, "bmm"}});
  const KeptPlaces advised = advisedFor(curveOf(*board), *board, board->recipes()[0]);
  EXPECT_EQ(advised.size(), kMatmuls.size());
  for (const std::size_t place : advised) EXPECT_EQ(board->candidates()[place].op, "bmm");
}

}  // namespace recipe_board_test
}  // namespace ampprof::gui

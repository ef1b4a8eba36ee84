// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gui/data/recipe_board.h"
#include "gui/data/recipe_marks.h"
#include "precision/advice/recipes/recipe_advice.h"

namespace ampprof::gui {

/// One way to compute all matmuls.
struct CurveDot {
  std::string name = {};  ///< "all mxfp8"; "" for one of the curve
  double us = 0.0;        ///< a step, predicted
  double share = 0.0;     ///< share of the tolerances that its damage uses up; 0 without damage

  bool operator==(const CurveDot&) const = default;
};

/// Least time at most damage, over all recipes that a report tried.
struct RecipeCurve {
  advice::RecipeEvidence evidence = {};
  advice::Tolerances tolerances = {};
  std::string gpu = {};                ///< whose rates times are reckoned with
  std::vector<CurveDot> curve = {};    ///< the fastest first
  std::vector<CurveDot> uniform = {};  ///< one format wherever it can be
  std::string why_none = {};           ///< a sentence where there is no curve
};

/// Works out the curve, which may take a second. Recipes of a user's own files are left out: a report holds their names
/// alone.
RecipeCurve curveOf(const RecipeBoard& board);

/// Returns what is to stay in BF16 so that a step takes least time within the tolerances, all else being in one recipe.
/// May take a second; nothing without a curve.
KeptPlaces advisedFor(const RecipeCurve& curve, const RecipeBoard& board, const TriedRecipe& recipe);

/// Where a recipe with what is kept in BF16 stands beside the curve; empty where that cannot be said.
std::optional<CurveDot> dotOf(const RecipeCurve& curve, const RecipeBoard& board, const TriedRecipe& recipe,
                              const KeptPlaces& kept);

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gui/data/recipe_board.h"
#include "gui/data/recipe_marks.h"
#include "precision/advice/recipes/recipe_advice.h"

namespace ampprof::gui {

/// A dot of the plot of time against impact: a choice of a format for each matmul.
struct CurveDot {
  std::string name = {};  ///< label, such as "all mxfp8"; "" for a point of the curve
  double us = 0.0;        ///< predicted time of the matmuls of a step
  double share = 0.0;     ///< fraction of the tolerances that the impact uses up; 0 without impact

  bool operator==(const CurveDot&) const = default;
};

/// Trade-off between time and impact, over all recipes in a report.
struct RecipeCurve {
  advice::RecipeEvidence evidence = {};
  advice::Tolerances tolerances = {};
  std::string gpu = {};                ///< GPU for which times are computed
  std::vector<CurveDot> curve = {};    ///< fastest first
  std::vector<CurveDot> uniform = {};  ///< dots with the same format for all matmuls that support it
  std::string why_none = {};           ///< sentence on why there is no curve; "" if there is one
};

/// Computes the curve, which may take a second. Leaves out recipes from a user's files, since a report contains only
/// the names of recipes.
RecipeCurve curveOf(const RecipeBoard& board);

/// Returns the matmuls to keep in BF16 for the fastest step within the tolerances, if all other matmuls use `recipe`.
/// May take a second. Empty if there is no curve.
KeptPlaces advisedFor(const RecipeCurve& curve, const RecipeBoard& board, const TriedRecipe& recipe);

/// Returns the dot of a recipe with some matmuls kept in BF16; empty if its time or impact cannot be computed.
std::optional<CurveDot> dotOf(const RecipeCurve& curve, const RecipeBoard& board, const TriedRecipe& recipe,
                              const KeptPlaces& kept);

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gui/data/recipe_board.h"
#include "precision/advice/recipes/error_cost.h"

namespace ampprof::gui {

/// Matmuls to keep in BF16, as indices into RecipeBoard::candidates().
using KeptPlaces = std::vector<std::size_t>;

/// Measured impact of a recipe. The impacts on the loss and on its decrease differ in meaning and are never added.
struct RecipeErrorCost {
  advice::ErrorCost loss = {};      ///< impact of fprop on the loss
  advice::ErrorCost gradient = {};  ///< impact of dgrad and wgrad on the loss decrease of a step
  std::size_t matmuls = 0;          ///< number of quantized matmuls
  std::size_t unknown = 0;          ///< number of quantized matmuls with unknown impact
};

/// Predicted impact of a recipe: `before` for all its matmuls, `after` with some matmuls kept in BF16.
struct RecipePrediction {
  RecipeErrorCost before = {};
  RecipeErrorCost after = {};
  std::size_t kept = 0;                 ///< number of kept matmuls, counted per call site
  std::optional<double> decrease = {};  ///< loss decrease per step; empty if unknown
  bool has_loss = false;                ///< the impact of at least one fprop is known
  bool has_gradient = false;            ///< the impact of at least one dgrad or wgrad is known
  bool is_ranking_only = false;         ///< impacts of dgrad and wgrad rank matmuls but have no meaningful size
};

RecipePrediction predictionOf(const RecipeBoard& board, const TriedRecipe& recipe, const KeptPlaces& kept);

/// Returns the expected size of the impact on the loss: "expected loss impact of fprop 8.1e-04 → 3.0e-05".
QString lossText(const RecipePrediction& prediction);
/// Returns the expected size relative to a step's loss decrease: "expected change due to dgrad, wgrad 4.1% → <1% of the
/// loss decrease per step".
QString gradientText(const RecipePrediction& prediction);
/// Returns means, expected sizes and upper bounds; "" if nothing is known.
QString errorCostTip(const RecipePrediction& prediction);

/// Returns the text of a policy file: the recipe for all matmuls, and `MODULE [fprop|dgrad|wgrad] bf16` for kept ones.
/// Similar layers share a rule if all of them are kept.
std::string policyOf(const RecipeBoard& board, const TriedRecipe& recipe, const KeptPlaces& kept);

}  // namespace ampprof::gui

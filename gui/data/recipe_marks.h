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

/// Matmuls that are to stay in BF16: by place among RecipeBoard::candidates().
using KeptPlaces = std::vector<std::size_t>;

/// Holds what a recipe does, as far as it was measured: two figures, which are never added.
struct RecipeDamage {
  advice::ErrorCost loss = {};      ///< of fprop, to the loss
  advice::ErrorCost gradient = {};  ///< of dgrad and wgrad, to how far a step decreases the loss
  std::size_t matmuls = 0;       ///< that are rounded
  std::size_t unknown = 0;       ///< of them, whose impact is not known
};

/// Predicts what a recipe does as a whole, and with some matmuls kept in BF16.
struct RecipePrediction {
  RecipeDamage before = {};
  RecipeDamage after = {};
  std::size_t kept = 0;                 ///< matmuls of call sites
  std::optional<double> decrease = {};  ///< of the loss by a step; empty where it is not known
  bool has_loss = false;                ///< impacts of fprop are known
  bool has_gradient = false;            ///< those of dgrad or wgrad are
  bool is_ranking_only = false;         ///< those of dgrad and wgrad rank, and no more
};

RecipePrediction predictionOf(const RecipeBoard& board, const TriedRecipe& recipe, const KeptPlaces& kept);

/// "loss change by fprop 8.1e-04 → 3.0e-05": expected size.
QString lossText(const RecipePrediction& prediction);
/// "dgrad, wgrad 4.1% → <1% of a step's decrease": expected size of what they change it by.
QString gradientText(const RecipePrediction& prediction);
/// Tells means, with how far they may be off, and bounds; "" where nothing is known.
QString damageTip(const RecipePrediction& prediction);

/// Returns a policy file: the recipe for all matmuls, and `MODULE [fprop|dgrad|wgrad] bf16` for those that are kept.
/// Layers that are alike have one rule where all of them are kept.
std::string policyOf(const RecipeBoard& board, const TriedRecipe& recipe, const KeptPlaces& kept);

}  // namespace ampprof::gui

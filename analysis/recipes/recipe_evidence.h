// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/recipes/recipe_times.h"
#include "precision/advice/recipes/layer_evidence.h"

namespace ampprof::queries {
struct RecipeMatmulRow;
}

namespace ampprof::analysis {

/// Returns whether advice about recipes can be drawn from these rows: some matmul has an impact.
bool has_recipe_impacts(const std::vector<queries::RecipeMatmulRow>& rows);

/// Returns the GPU that advice about recipes is for. That is the one named. Without a name it is `device`, the run's
/// own, if that has matmuls below 16 bits and known rates. Else it is a B200, the first GPU with all formats. Throws
/// amp::Error, a sentence, if the rates of a named one are not known.
gpu::PeakRates gpu_for_recipes(const std::string& named, const std::string& device);

/// A layer of a training step, and the rows of its matmuls.
struct LayerRows {
  advice::RecipeLayer layer = {};  ///< without impacts
  std::vector<const queries::RecipeMatmulRow*> rows = {};
};

/// Puts rows of training steps together, one layer for each forward call site and place in its step, in their order.
std::vector<LayerRows> layers_of(const std::vector<const queries::RecipeMatmulRow*>& rows);

/// Returns what advice is drawn from: the layers of the runs of all recipes, with their impacts;
/// `loss` is that of the program, `times` those of its matmuls on that GPU, where they were taken. A recipe of a file
/// must be there by the name that the report has. Throws recipes::RecipeError where it is not.
advice::RecipeEvidence recipe_evidence(const std::vector<queries::RecipeMatmulRow>& rows, double loss,
                                       const gpu::PeakRates& gpu, const Bf16Times& times = {});

}  // namespace ampprof::analysis

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

/// Returns whether advice about recipes is possible: it is if some matmul has an impact.
bool has_recipe_impacts(const std::vector<queries::RecipeMatmulRow>& rows);

/// Returns the GPU that advice about recipes is for: `named`, if the user chose one; else `device`, the run's own GPU,
/// if it has matmuls below 16 bits and known rates; else a B200, the first GPU with all formats. Throws amp::Error with
/// a sentence if the rates of a named GPU are unknown.
gpu::PeakRates gpu_for_recipes(const std::string& named, const std::string& device);

/// A layer of a training step, with the rows of its matmuls.
struct LayerRows {
  advice::RecipeLayer layer = {};  ///< without impacts
  std::vector<const queries::RecipeMatmulRow*> rows = {};
};

/// Groups rows of training steps into layers, one for each forward call site and position in its step, in program
/// order.
std::vector<LayerRows> layers_of(const std::vector<const queries::RecipeMatmulRow*>& rows);

/// Returns the input of advice: the layers of the runs of all recipes, with their impacts. `loss` is the program's
/// loss; `times` are measured times of the program's matmuls on `gpu`. Loads each recipe again by its name in the
/// report; the name of a recipe from a file is its path. Throws recipes::RecipeError if a recipe cannot be read.
advice::RecipeEvidence recipe_evidence(const std::vector<queries::RecipeMatmulRow>& rows, double loss,
                                       const gpu::PeakRates& gpu, const Bf16Times& times = {});

}  // namespace ampprof::analysis

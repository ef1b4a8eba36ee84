// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "precision/formats/recipes/recipe.h"

namespace ampprof::recipes {

/// Reads a recipe from text, one fact a line, in any order; `#` starts a comment:
///
///     name my_mxfp8
///     summary MXFP8 with gradients in E5M2
///     least_sm 100                            # compute capability times 10
///     convolutions emulated                   # or hardware, the default
///     multiples rows 32 columns 32 leading 32 # of the weight, and the input's leading dimensions; else 1
///     fprop input fp8e4m3 scale block_e8m0 block 1x32
///     fprop weight fp8e4m3 scale block_e8m0 block 1x32
///     dgrad grad_output fp8e5m2 scale block_e8m0 block 1x32 round stochastic
///     ...
///
/// All six operands of the three matmuls must be there: element type, then, in any order, scale, block (across x along
/// the contracted dimension), history, round and transform, whose names are those of operand.h.
///
/// Throws RecipeError, "source:line: what is wrong; what to do", for a text that is no recipe.
Recipe parse_recipe(std::string_view text, const std::string& source);

/// Reads it from a file; throws RecipeError too where that cannot be read.
Recipe load_recipe(const std::string& path);

/// Returns the recipe of a name, as recipe_named() does, or that of a file: of a text with a slash, or with the name of
/// one that is there. Throws RecipeError as these do.
Recipe recipe_from(const std::string& name_or_path);

/// Writes a recipe so that parse_recipe() reads the same one back.
std::string to_text(const Recipe& recipe);

}  // namespace ampprof::recipes

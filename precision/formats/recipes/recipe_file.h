// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "precision/formats/recipes/recipe.h"

namespace ampprof::recipes {

/// Reads a recipe from text, one fact per line, in any order; `#` starts a comment:
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
/// All six operands of the three matmuls are required: the element type, followed in any order by scale, block (across
/// x along the contracted dimension), history, round and transform, with the names in operand.h.
///
/// Throws RecipeError, "source:line: what is wrong; what to do", for an invalid text.
Recipe parse_recipe(std::string_view text, const std::string& source);

/// Reads a recipe from a file. Throws RecipeError also if the file cannot be read.
Recipe load_recipe(const std::string& path);

/// Returns load_recipe() if `name_or_path` contains a slash or names an existing file, else recipe_named(). Throws
/// RecipeError like load_recipe() and recipe_named().
Recipe recipe_from(const std::string& name_or_path);

/// Writes a recipe in the form that parse_recipe() reads.
std::string to_text(const Recipe& recipe);

}  // namespace ampprof::recipes

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "precision/formats/recipes/operand.h"

/// An operand as the words of a line of a recipe file: "fp8e4m3 scale block_e8m0 block 1x32".
namespace ampprof::recipes {

/// Throws RecipeError, a sentence, for words that are no operand, or one that cannot be.
Operand operand_from(std::span<const std::string_view> words);

/// Throws RecipeError, a sentence, where parts of an operand do not go together.
void check_operand(const Operand& operand);

std::string to_text(const Operand& operand);

/// Returns the number that a text is, digits alone. Throws RecipeError for another, or one outside 1 to `largest`.
int number_from(std::string_view text, int largest);

}  // namespace ampprof::recipes

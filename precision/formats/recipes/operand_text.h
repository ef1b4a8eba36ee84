// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "precision/formats/recipes/operand.h"

/// Reads and writes an operand as words of a recipe file: "fp8e4m3 scale block_e8m0 block 1x32".
namespace ampprof::recipes {

/// Reads an operand. Throws RecipeError (a sentence) for words that are not a valid operand.
Operand operand_from(std::span<const std::string_view> words);

/// Throws RecipeError (a sentence) if parts of an operand contradict each other.
void check_operand(const Operand& operand);

std::string to_text(const Operand& operand);

/// Reads a number that consists of digits. Throws RecipeError for other texts and for numbers outside 1 to `largest`.
int number_from(std::string_view text, int largest);

}  // namespace ampprof::recipes

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/advice/recipes/recipe_advice.h"
#include "views/table/format.h"
#include "views/table/view.h"

namespace ampprof::views {

/// Returns the formats, a matmul of a group of layers a row, with reasons.
View recipe_advice_view(const advice::RecipeAdvice& advice);

/// Returns the object of the contract: gpu, matmuls, times, damages and their tolerances, curve, uniform and notes.
Json to_json(const advice::RecipeAdvice& advice);

/// Returns what `ampprof advise` prints of a report with recipes: sentences, the formats, the curve, what is not known.
std::string formatted(const advice::RecipeAdvice& advice, Format format, const text::Terminal& terminal);

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/advice/recipes/recipe_advice.h"
#include "views/table/format.h"
#include "views/table/view.h"

namespace ampprof::views {

/// Returns the format of each matmul with its reason; a row is one matmul of a group of layers.
View recipe_advice_view(const advice::RecipeAdvice& advice);

/// Returns the JSON object: gpu, matmuls, times, damages and their tolerances, curve, uniform and notes.
Json to_json(const advice::RecipeAdvice& advice);

/// Returns the output of `ampprof advise` for a report with recipes: sentences, the formats, the curve of time against
/// damage, and notes.
std::string formatted(const advice::RecipeAdvice& advice, Format format, const text::Terminal& terminal);

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "precision/advice/recipes/recipe_advice.h"
#include "views/table/format.h"
#include "views/table/view.h"

namespace ampprof::views {

/// Returns the format for each matmul, with the reason. A row is one matmul of a group of layers.
View recipe_advice_view(const advice::RecipeAdvice& advice);

/// Returns the JSON object: gpu, matmuls, us, bf16_us, least_us, loss, decrease, share_of_tolerance, curve, uniform and
/// notes. The members loss and decrease include their tolerances.
Json to_json(const advice::RecipeAdvice& advice);

/// Returns the output of `ampprof advise` for a report with recipes: sentences, the formats, the curve of time against
/// loss impact, and notes.
std::string formatted(const advice::RecipeAdvice& advice, Format format, const text::Terminal& terminal);

}  // namespace ampprof::views

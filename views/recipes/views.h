// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/queries/losses.h"
#include "views/table/view.h"

namespace ampprof::queries {
struct RecipeMatmulRow;
}

namespace ampprof::views {

/// First what changes the loss most, then what changes gradients most, of each run and recipe. `changes`: what the loss
/// itself is in the recipe, less in the run.
View recipes_view(std::vector<queries::RecipeMatmulRow> rows, const std::vector<queries::LossChange>& changes = {});

}  // namespace ampprof::views

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

/// Orders the matmuls of each run and recipe by change of the loss, then by change of gradients, the largest first.
/// `changes` are, for each step, the loss in the recipe minus the loss of the run.
View recipes_view(std::vector<queries::RecipeMatmulRow> rows, const std::vector<queries::LossChange>& changes = {});

}  // namespace ampprof::views

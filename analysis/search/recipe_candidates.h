// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/search/candidates.h"
#include "precision/advice/recipes/layer_evidence.h"

namespace ampprof::search {

/// Returns a candidate for each matmul that is rounded in the only format of the evidence, "blocks.0.up dgrad bf16":
/// those that advice leaves in high precision, then the others. Each is ordered by what it is expected to do, to the
/// loss (fprop) or to a step's decrease of it, as a share of what all of its kind do; what was not measured, as in a
/// frozen layer, comes first.
Candidates recipe_candidates(const advice::RecipeEvidence& evidence);

}  // namespace ampprof::search

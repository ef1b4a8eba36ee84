// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/search/candidates.h"
#include "precision/advice/recipes/layer_evidence.h"

namespace ampprof::search {

/// Returns a candidate for each matmul that is rounded to the only format of the evidence, "blocks.0.up dgrad bf16".
/// Candidates that advice keeps in high precision come first. Each part is ordered by expected impact, as a share of
/// the total impact of all fprop on the loss, or of all dgrad and wgrad on the loss decrease of a step: the two cannot
/// be added. Matmuls without a measured impact, as in a frozen layer, come first.
Candidates recipe_candidates(const advice::RecipeEvidence& evidence);

}  // namespace ampprof::search

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "precision/advice/recipes/layer_evidence.h"
#include "reports/queries/report.h"

namespace ampprof::queries {
struct RecipeMatmulRow;
struct RunRow;
}  // namespace ampprof::queries

namespace ampprof::analysis {

/// How long calls of matmuls take alone in BF16, in µs: by run and call site.
using Bf16Times = std::map<std::pair<std::int64_t, std::int64_t>, double>;

/// Reads what `--probe` timed on a GPU of the kind that advice is for; nothing of any other, and nothing without a
/// probe.
Bf16Times bf16_times(const queries::Report& report, const std::vector<queries::RunRow>& runs,
                     const gpu::PeakRates& gpu);

/// Puts the times of a layer's matmuls where each was computed by calls of its own: one call of a convolution's
/// backward computes both.
void put_times(advice::RecipeLayer& layer, const std::vector<const queries::RecipeMatmulRow*>& rows,
               const Bf16Times& times);

}  // namespace ampprof::analysis

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

/// Isolated times of matmul calls in BF16, in µs, by run and call site.
using Bf16Times = std::map<std::pair<std::int64_t, std::int64_t>, double>;

/// Reads the times that `--probe` measured on the GPU model `gpu`; empty if the probe ran on another model, or not at
/// all.
Bf16Times bf16_times(const queries::Report& report, const std::vector<queries::RunRow>& runs,
                     const gpu::PeakRates& gpu);

/// Sets the times of a layer's matmuls, except matmuls that share a call: the backward call of a convolution computes
/// two matmuls.
void put_times(advice::RecipeLayer& layer, const std::vector<const queries::RecipeMatmulRow*>& rows,
               const Bf16Times& times);

}  // namespace ampprof::analysis

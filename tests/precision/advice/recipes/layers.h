// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>

#include "precision/advice/recipes/layer_evidence.h"

namespace ampprof::advice {

/// Returns a B200 with round rates: in 1 µs it computes 10^9 multiply-adds in BF16, or moves 10^6 bytes.
inline gpu::PeakRates round_gpu() { return {"B200", 100, 500, 1000, 2000, 4000, 1000}; }

/// Returns a linear layer of 1024 x 1024 for 4096 tokens, measured in four steps. `damage` is the change of the loss by
/// format, the same for each matmul and step.
inline RecipeLayer layer(const std::string& module, const std::map<std::string, double>& error_cost) {
  RecipeLayer layer{.module = module, .op = "linear", .rows = 1024, .columns = 1024, .leading = 4096};
  for (auto& impacts : layer.impacts) {
    for (const auto& [format, size] : error_cost) {
      for (int step = 0; step < 4; ++step) impacts[format].steps.push_back({step, size, 0.0});
    }
  }
  return layer;
}

/// Returns evidence with the built-in recipes, a loss of 1 that each step lowers by 0.1, and such fast memory that
/// copies cost little.
inline RecipeEvidence evidence(std::vector<RecipeLayer> layers, const std::vector<std::string>& formats) {
  RecipeEvidence evidence{.layers = std::move(layers), .gpu = round_gpu(), .loss = 1.0, .decrease = 0.1};
  evidence.gpu.gb_per_s = 20'000;
  for (const std::string& format : formats) evidence.formats.push_back(recipes::recipe_named(format));
  return evidence;
}

}  // namespace ampprof::advice

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "precision/advice/recipes/layer_evidence.h"

namespace ampprof::advice {

/// Places in a list of recipes; of BF16 where a matmul does not exist.
using Formats = OfMatmuls<std::size_t>;

/// Predicts how long a layer's matmuls take on a GPU, in µs a step, from sizes or from times that were measured.
/// README.md says how. Refers to the recipes, the first of which is that without rounding.
class LayerTimes {
 public:
  LayerTimes(const gpu::PeakRates& gpu, const std::vector<recipes::Recipe>& formats, bool are_copies_free = false)
      : gpu_(gpu), formats_(formats), are_copies_free_(are_copies_free) {}

  /// Time of all that a layer has: matmuls, and copies of their operands.
  double us(const RecipeLayer& layer, const Formats& formats) const;
  /// Infinity where the GPU has no such type.
  double matmul_us(const RecipeLayer& layer, std::size_t matmul, std::size_t format) const;
  /// Time to read the operands and to write their rounded copies. Where a tensor's two directions have one format they
  /// are made in one pass.
  double copies_us(const RecipeLayer& layer, const Formats& formats) const;

 private:
  double peak_us(const RecipeLayer& layer, std::size_t matmul, std::size_t format) const;

  const gpu::PeakRates& gpu_;
  const std::vector<recipes::Recipe>& formats_;
  bool are_copies_free_;
};

}  // namespace ampprof::advice

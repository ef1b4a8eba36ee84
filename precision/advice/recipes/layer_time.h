// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "precision/advice/recipes/layer_evidence.h"

namespace ampprof::advice {

/// Indices into a list of recipes. A matmul that does not exist has the index of BF16.
using Formats = OfMatmuls<std::size_t>;

/// Predicts the time of a layer's matmuls on a GPU, in µs per step, from sizes or from measured times (README.md).
/// Refers to the recipes; the first one is BF16, without rounding.
class LayerTimes {
 public:
  LayerTimes(const gpu::PeakRates& gpu, const std::vector<recipes::Recipe>& formats, bool are_copies_free = false)
      : gpu_(gpu), formats_(formats), are_copies_free_(are_copies_free) {}

  /// Returns the time of all matmuls of a layer and of copying their operands.
  double us(const RecipeLayer& layer, const Formats& formats) const;
  /// Returns the time of one matmul; infinity if the GPU does not support the type.
  double matmul_us(const RecipeLayer& layer, std::size_t matmul, std::size_t format) const;
  /// Returns the time to read the operands and to write their rounded copies. If both directions of a tensor have the
  /// same format, one pass writes both copies.
  double copies_us(const RecipeLayer& layer, const Formats& formats) const;

 private:
  double peak_us(const RecipeLayer& layer, std::size_t matmul, std::size_t format) const;

  const gpu::PeakRates& gpu_;
  const std::vector<recipes::Recipe>& formats_;
  bool are_copies_free_;
};

}  // namespace ampprof::advice

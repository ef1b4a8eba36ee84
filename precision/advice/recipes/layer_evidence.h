// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "precision/formats/recipes/layer.h"
#include "precision/formats/recipes/recipe.h"
#include "precision/gpu/peak_rates.h"
#include "reports/records/impact_estimate.h"
#include "reports/records/matmul.h"

namespace ampprof::advice {

/// Indices into kMatmuls.
inline constexpr std::size_t kFprop = matmul_index(Matmul::Fprop);
inline constexpr std::size_t kDgrad = matmul_index(Matmul::Dgrad);
inline constexpr std::size_t kWgrad = matmul_index(Matmul::Wgrad);

/// One value for each matmul of a layer, in the order of kMatmuls.
template <class T>
using OfMatmuls = std::array<T, kMatmuls.size()>;

enum class LayerKind : std::uint8_t {
  Linear,
  Convolution,
  Product,  ///< matmul of two activations, as in attention
};

/// Change caused by rounding a matmul's operands, step by step. fprop changes the loss; dgrad and wgrad change the loss
/// decrease per step. Positive is worse.
struct MatmulImpact {
  std::vector<StepImpact> steps = {};
  bool is_independent = true;    ///< roundings are independent of each other, so that E estimates their effect
  bool is_ranking_only = false;  ///< sizes can be compared with each other but not with the loss
};

/// A call site with matmuls.
struct RecipeLayer {
  std::string module;  ///< module path; "" outside all modules
  std::string op;      ///< op name: "linear"
  LayerKind kind = LayerKind::Linear;
  std::int64_t rows = 0;                                        ///< rows of the weight: output features
  std::int64_t columns = 0;                                     ///< columns of the weight: input features
  std::int64_t leading = 0;                                     ///< product of the input's leading dimensions
  std::int64_t groups = 1;                                      ///< matmuls of these sizes per call
  std::int64_t calls = 1;                                       ///< calls per step
  OfMatmuls<bool> has = {true, true, true};                     ///< a first layer has no dgrad, a frozen one no wgrad
  OfMatmuls<bool> is_rounded = {};                              ///< rounded in some format, measured or not
  OfMatmuls<std::map<std::string, MatmulImpact>> impacts = {};  ///< impacts by format; missing if not measured
  OfMatmuls<std::map<std::string, double>> measured_us = {};    ///< measured time of one call, by format

  recipes::LayerSizes sizes() const { return {rows, columns, leading, kind == LayerKind::Convolution}; }
};

/// Evidence for advice about recipes.
struct RecipeEvidence {
  std::vector<recipes::Recipe> formats = {};  ///< formats to choose from, besides BF16
  std::vector<RecipeLayer> layers = {};       ///< all layers with matmuls, in program order
  gpu::PeakRates gpu = {};
  double loss = 0.0;
  std::optional<double> decrease = {};  ///< decrease of the loss per step; empty if unknown
  bool are_copies_free = false;         ///< the preceding op writes rounded copies at no extra time
};

}  // namespace ampprof::advice

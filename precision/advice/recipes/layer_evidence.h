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

/// Places in kMatmuls.
inline constexpr std::size_t kFprop = matmul_place(Matmul::Fprop);
inline constexpr std::size_t kDgrad = matmul_place(Matmul::Dgrad);
inline constexpr std::size_t kWgrad = matmul_place(Matmul::Wgrad);

/// One of each matmul of a layer, in the order of kMatmuls.
template <class T>
using OfMatmuls = std::array<T, kMatmuls.size()>;

enum class LayerKind : std::uint8_t {
  Linear,
  Convolution,
  Product,  ///< of two activations, as in attention
};

/// Changes by rounding a matmul's operands, step by step: of fprop to the loss, of dgrad and wgrad to how far a step
/// decreases it. Positive is harm.
struct MatmulImpact {
  std::vector<StepImpact> steps = {};
  bool is_independent = true;    ///< roundings are, of each other: E holds
  bool is_ranking_only = false;  ///< sizes compare with each other, not with the loss
};

/// A call site with matmuls.
struct RecipeLayer {
  std::string module;  ///< "" outside all modules
  std::string op;      ///< "linear"
  LayerKind kind = LayerKind::Linear;
  std::int64_t rows = 0;                                        ///< of the weight: output features
  std::int64_t columns = 0;                                     ///< of the weight: input features
  std::int64_t leading = 0;                                     ///< product of the input's leading dimensions
  std::int64_t groups = 1;                                      ///< products of these sizes in a call
  std::int64_t calls = 1;                                       ///< a step
  OfMatmuls<bool> has = {true, true, true};                     ///< a first layer has no dgrad, a frozen one no wgrad
  OfMatmuls<bool> is_rounded = {};                              ///< in some format, measured or not
  OfMatmuls<std::map<std::string, MatmulImpact>> impacts = {};  ///< by format; none where it was not measured
  OfMatmuls<std::map<std::string, double>> measured_us = {};    ///< by format: time of one call where it was taken

  recipes::LayerSizes sizes() const { return {rows, columns, leading, kind == LayerKind::Convolution}; }
};

/// Evidence that advice about recipes is drawn from.
struct RecipeEvidence {
  std::vector<recipes::Recipe> formats = {};  ///< to choose from, besides BF16
  std::vector<RecipeLayer> layers = {};       ///< all that have matmuls, in the order of the program
  gpu::PeakRates gpu = {};
  double loss = 0.0;
  std::optional<double> decrease = {};  ///< of the loss by a step; empty where it is not known
  bool are_copies_free = false;         ///< the op before makes the rounded copies, and takes no longer for it
};

}  // namespace ampprof::advice

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "precision/advice/recipes/format_solver.h"
#include "precision/advice/recipes/layer_evidence.h"

namespace ampprof::advice {

struct RecipeOptions {
  std::optional<double> loss_tolerance = {};  ///< allowed change of the loss; else a hundredth of the loss
  double gradient_share = 0.05;               ///< share of a step's decrease of the loss that may be lost
  bool each_layer = false;                    ///< similar layers may have different formats
};

/// The format of one matmul of a group of layers.
struct MatmulAdvice {
  std::string format;
  std::string because = {};           ///< sentences with numbers
  double us = 0.0;                    ///< per step, without copies of operands
  double plain_us = 0.0;              ///< the same in BF16
  std::optional<ErrorCost> damage = {};  ///< empty if it is not rounded
};

/// Layers that share their formats.
struct GroupAdvice {
  std::string pattern;                    ///< "blocks.*.fc1"
  std::vector<std::string> modules = {};  ///< each once
  std::string op;
  LayerKind kind = LayerKind::Linear;
  std::int64_t rows = 0;  ///< sizes of the first layer, as in RecipeLayer
  std::int64_t columns = 0;
  std::int64_t leading = 0;
  OfMatmuls<std::optional<MatmulAdvice>> matmuls = {};  ///< empty if there is no such matmul
  Choice total = {};
  double plain_us = 0.0;

  /// Tells whether any of its matmuls is rounded.
  bool is_rounded() const;
};

/// One choice for all layers.
struct CurvePoint {
  std::string name;  ///< "all mxfp8"; "" for a point of the curve
  Choice total = {};
  double share = 0.0;  ///< of the tolerances
};

/// The formats of all matmuls with which a step takes the least time within the tolerances.
struct RecipeAdvice {
  std::string gpu;
  Tolerances tolerances = {};
  std::vector<recipes::Recipe> formats = {};  ///< formats to choose from; the first is BF16
  std::vector<GroupAdvice> groups = {};       ///< in program order
  Choice total = {};                          ///< matmuls and copies together
  double plain_us = 0.0;                      ///< in BF16
  double least_us = 0.0;                      ///< proven lower bound for any choice within the tolerances
  double share = 0.0;                         ///< share of the tolerances that the choice uses
  std::vector<CurvePoint> curve = {};         ///< least time for less and less damage, the fastest first
  std::vector<CurvePoint> uniform = {};       ///< one format wherever it is possible
  std::vector<std::string> notes = {};        ///< sentences
};

RecipeAdvice advise_recipes(const RecipeEvidence& evidence, const RecipeOptions& options = {});

}  // namespace ampprof::advice

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "precision/advice/recipes/format_solver.h"
#include "precision/advice/recipes/layer_evidence.h"

namespace ampprof::advice {

struct RecipeOptions {
  std::optional<double> loss_tolerance = {};  ///< allowed change of the loss; default: a hundredth of the loss
  double gradient_share = 0.05;               ///< share of the loss decrease per step that may be lost
  bool each_layer = false;                    ///< whether similar layers may have different formats
};

/// The format of one matmul of a group of layers.
struct MatmulAdvice {
  std::string format;
  std::string because = {};              ///< sentences with numbers: why this format
  double us = 0.0;                       ///< time per step, without copying operands
  double plain_us = 0.0;                 ///< time per step in BF16, without copying operands
  std::optional<ErrorCost> error_cost = {};  ///< cost of the rounding error; empty if the matmul is not rounded
};

/// Layers that share their formats.
struct GroupAdvice {
  std::string pattern;                    ///< "blocks.*.fc1"
  std::vector<std::string> modules = {};  ///< module paths, each once
  std::string op;
  LayerKind kind = LayerKind::Linear;
  std::int64_t rows = 0;  ///< sizes of the first layer, as in RecipeLayer
  std::int64_t columns = 0;
  std::int64_t leading = 0;
  OfMatmuls<std::optional<MatmulAdvice>> matmuls = {};  ///< empty for a matmul that the layers do not have
  Choice total = {};
  double plain_us = 0.0;

  /// Tells whether any matmul of the group is rounded.
  bool is_rounded() const;
};

/// A choice for all layers, as a point of a curve of time against error.
struct CurvePoint {
  std::string name;  ///< "all mxfp8" for one format everywhere; "" for a point of the curve
  Choice total = {};
  double share = 0.0;  ///< share of the tolerances that this choice uses
};

/// The formats of all matmuls for the least time per step within the tolerances.
struct RecipeAdvice {
  std::string gpu;
  Tolerances tolerances = {};
  std::vector<recipes::Recipe> formats = {};  ///< formats to choose from; the first is BF16
  std::vector<GroupAdvice> groups = {};       ///< in program order
  Choice total = {};                          ///< matmuls and copies together
  double plain_us = 0.0;                      ///< time in BF16
  double least_us = 0.0;                      ///< proven lower bound for any choice within the tolerances
  double share = 0.0;                         ///< share of the tolerances that the choice uses
  std::vector<CurvePoint> curve = {};         ///< least time for decreasing error cost, the fastest first
  std::vector<CurvePoint> uniform = {};       ///< the same format for all matmuls that allow it
  std::vector<std::string> notes = {};        ///< sentences about problems and missing data
};

RecipeAdvice advise_recipes(const RecipeEvidence& evidence, const RecipeOptions& options = {});

}  // namespace ampprof::advice

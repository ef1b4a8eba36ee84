// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "precision/advice/recipes/format_solver.h"
#include "precision/advice/recipes/layer_evidence.h"

namespace ampprof::advice {

struct RecipeOptions {
  std::optional<double> loss_tolerance = {};  ///< change of the loss; else a hundredth of it
  double gradient_share = 0.05;               ///< of a step's decrease of the loss that may be lost
  bool each_layer = false;                    ///< like layers need not share their formats
};

/// The format of one matmul of a group of layers.
struct MatmulAdvice {
  std::string format;
  std::string because = {};           ///< sentences with numbers
  double us = 0.0;                    ///< a step, without copies of operands
  double plain_us = 0.0;              ///< in BF16
  std::optional<ErrorCost> damage = {};  ///< empty where it is not rounded
};

/// Layers that share their formats.
struct GroupAdvice {
  std::string pattern;                    ///< "blocks.*.fc1"
  std::vector<std::string> modules = {};  ///< each once
  std::string op;
  LayerKind kind = LayerKind::Linear;
  std::int64_t rows = 0;  ///< sizes of the first, as in RecipeLayer
  std::int64_t columns = 0;
  std::int64_t leading = 0;
  OfMatmuls<std::optional<MatmulAdvice>> matmuls = {};  ///< empty where there is no such matmul
  Choice total = {};
  double plain_us = 0.0;

  /// Whether any of its matmuls is rounded.
  bool is_rounded() const;
};

/// One choice for all layers.
struct CurvePoint {
  std::string name;  ///< "all mxfp8"; "" for one of the curve
  Choice total = {};
  double share = 0.0;  ///< of the tolerances
};

/// The formats of all matmuls in which a step takes least time within tolerances for the loss and for gradients.
struct RecipeAdvice {
  std::string gpu;
  Tolerances tolerances = {};
  std::vector<recipes::Recipe> formats = {};  ///< that could be chosen; the first is BF16
  std::vector<GroupAdvice> groups = {};       ///< in the order of the program
  Choice total = {};                          ///< of their matmuls and copies
  double plain_us = 0.0;                      ///< in BF16
  double least_us = 0.0;                      ///< proven for any choice within the tolerances
  double share = 0.0;                         ///< of the tolerances that it takes
  std::vector<CurvePoint> curve = {};         ///< least time at most damage, the fastest first
  std::vector<CurvePoint> uniform = {};       ///< one format wherever it can be
  std::vector<std::string> notes = {};        ///< sentences
};

RecipeAdvice advise_recipes(const RecipeEvidence& evidence, const RecipeOptions& options = {});

}  // namespace ampprof::advice

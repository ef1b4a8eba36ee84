// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <vector>

#include "precision/error/output_statistics.h"
#include "precision/formats/products/operand_rounding_sums.h"
#include "profiler/calls/output_pair.h"
#include "reports/records/recipe_matmul.h"

namespace ampprof::profiler {

/// A row of the report. If the row's sums are on a device, they stay there until read() waits for them.
struct RecipeRow {
  RecipeMatmul row{};
  std::shared_ptr<products::OperandRoundingSums> first{};  ///< null if the layer is not quantized
  std::shared_ptr<products::OperandRoundingSums> second{};
  at::Tensor error{};  ///< L2 norm of the product's error as a one-element tensor on a device; else undefined
  at::Tensor exact{};
  bool on_device = false;

  /// Stores the lengths of a product's error and of the exact product: on the CPU as sums of squares, on a device as L2
  /// norms. On the CPU, returns the error statistics of `low` against `of_exact`, measured in one pass without a
  /// temporary tensor.
  std::optional<error::OutputStatistics> put_lengths(const at::Tensor& low, const at::Tensor& of_exact);
  /// Returns the complete row. Waits for the device.
  RecipeMatmul read() const;
};

/// Results of all recipes for one op call.
struct RecipeFindings {
  std::vector<OutputPair> pairs{};  ///< pairs of the first recipe
  std::vector<RecipeRow> rows{};
};

/// Returns the rounding error of an operand, as impact::difference() computes it, in the layout of the operand's
/// gradient.
at::Tensor rounding_of(const at::Tensor& rounded, const at::Tensor& exact);

}  // namespace ampprof::profiler

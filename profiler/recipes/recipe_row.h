// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <vector>

#include "precision/error/output_statistics.h"
#include "precision/formats/products/operand_losses.h"
#include "profiler/calls/output_pair.h"
#include "reports/records/recipe_matmul.h"

namespace ampprof::profiler {

/// A row whose sums stay on the device until read() waits for them.
struct RecipeRow {
  RecipeMatmul row{};
  std::shared_ptr<products::OperandLosses> first{};  ///< null where the layer is not quantized
  std::shared_ptr<products::OperandLosses> second{};
  at::Tensor error{};  ///< lengths, one element each, while they are on a device; else they are in `row`
  at::Tensor exact{};
  bool on_device = false;

  /// Stores the distance of a product from the exact one. On the CPU, returns the statistics of both, measured in one
  /// pass that needs no memory.
  std::optional<error::OutputStatistics> put_lengths(const at::Tensor& low, const at::Tensor& of_exact);
  /// Waits for the device.
  RecipeMatmul read() const;
};

/// Results of recipes for one op call.
struct RecipeFindings {
  std::vector<OutputPair> pairs{};  ///< of the first recipe
  std::vector<RecipeRow> rows{};
};

/// Returns the change by rounding an operand, as impact::difference() computes it, in the layout of its gradient.
at::Tensor rounding_of(const at::Tensor& rounded, const at::Tensor& exact);

}  // namespace ampprof::profiler

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "analysis/ops/probe_figures.h"
#include "views/table/column.h"

/// Declares columns of measurements of a matmul after the run: the objects `cublaslt` and `probe`.
namespace ampprof::views {

/// The part of a line that these columns show.
struct Probed {
  const ProbeAlgorithm* answer;                   ///< answer of cublasLt; null if it was not asked
  std::optional<analysis::MatmulTimings> figures;  ///< empty if nothing was timed
};

std::vector<ColumnOf<Probed>> cublaslt_columns();

/// Returns columns of the times as recorded and padded, of the gain, and of the times in each type.
std::vector<ColumnOf<Probed>> probe_columns();

}  // namespace ampprof::views

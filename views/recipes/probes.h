// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "analysis/ops/probe_figures.h"
#include "views/table/column.h"

/// Declares columns of what --probe measures after the run for each matmul. In JSON, they are in the objects `cublaslt`
/// and `probe`.
namespace ampprof::views {

/// Base class of lines with these columns.
struct Probed {
  const ProbeAlgorithm* answer;                    ///< answer of cublasLt; null if cublasLt was not asked
  std::optional<analysis::MatmulTimings> figures;  ///< empty if nothing was timed
};

std::vector<ColumnOf<Probed>> cublaslt_columns();

/// Returns columns of the time with the sizes of the run, the time with padded sizes, the gain from padding, and the
/// time in each type.
std::vector<ColumnOf<Probed>> probe_columns();

}  // namespace ampprof::views

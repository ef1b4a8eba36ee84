// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/probe_figures.h"
#include "views/view.h"

namespace ampprof::views {

/// Keys of the objects `cublaslt` and `probe` in the records of tensor-cores.
const std::vector<std::string>& probe_keys();

/// Null where cublasLt was not asked.
Json cublaslt_json(const ProbeAlgorithm* answer);
/// Null where nothing was timed.
Json probe_json(const std::optional<analysis::ProbeFigures>& figures);

/// Columns and cells of tables: as is, padded, gain, then the types.
std::vector<Column> probe_columns();
std::vector<Cell> probe_cells(const std::optional<analysis::ProbeFigures>& figures);

}  // namespace ampprof::views

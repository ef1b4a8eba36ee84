// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "views/table/table.h"

namespace ampprof::analysis {
class Targets;
struct ReportRows;
}  // namespace ampprof::analysis

namespace ampprof::views {

/// A metric of one run.
struct RunValue {
  Cell cell;
  std::optional<double> size = {};   ///< value that a bar shows, 0 or more; empty if a bar has no meaning
  std::optional<double> noise = {};  ///< standard error of `size`
};

/// A metric of several runs: one row of a table whose columns are runs.
struct RunFigure {
  std::string_view title;
  std::vector<RunValue> runs;  ///< in the order of ReportRows::shown()
};

/// Returns time, memory, losses, overflows, errors and Tensor Core use of each run, for the summary and the overview.
std::vector<RunFigure> run_metrics(const analysis::ReportRows& rows, const analysis::Targets& targets);

}  // namespace ampprof::views

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cli/text/table.h"
#include "cli/views/answer.h"

namespace ampprof::cli {

/// What a figure is for one run.
struct RunValue {
  Cell cell;
  std::optional<double> size = {};   ///< what bars compare, 0 or more; empty where no bar says anything
  std::optional<double> noise = {};  ///< standard error of `size`
};

/// One line of the table of runs, which stand side by side.
struct RunFigure {
  std::string_view title;
  std::vector<RunValue> runs;  ///< in the order of Findings::runs
};

/// Time, memory, losses, overflows, errors and Tensor Cores of each run, as the summary and the overview show them.
std::vector<RunFigure> run_figures(const Findings& findings, const Targets& targets);

}  // namespace ampprof::cli

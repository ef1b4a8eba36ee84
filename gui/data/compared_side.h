// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "analysis/compare/comparison.h"
#include "reports/compare/paired_calls.h"

namespace ampprof::gui {

/// One side of a comparison: the runs of one level, or a single run.
struct ComparedSide {
  analysis::SideOf records;
  std::vector<compare::Sketches> sketches;  ///< one element per run
};

}  // namespace ampprof::gui

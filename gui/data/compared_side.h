// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "analysis/compare/comparison.h"
#include "reports/compare/paired_calls.h"

namespace ampprof::gui {

/// Runs of one level, one side of a comparison.
struct ComparedSide {
  analysis::SideOf records;
  std::vector<compare::Sketches> sketches;  ///< one element per run
};

}  // namespace ampprof::gui

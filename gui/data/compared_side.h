// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "analysis/compare/comparison.h"
#include "reports/compare/paired_calls.h"

namespace ampprof::gui {

/// The runs of one level, read for a comparison.
struct ComparedSide {
  analysis::SideOf records;
  std::vector<compare::Sketches> sketches;  ///< of each run
};

}  // namespace ampprof::gui

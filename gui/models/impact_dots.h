// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "gui/data/impact_dot.h"

namespace ampprof::gui {

class BoardModel;

/// Dots of a board's call sites.
struct ImpactDots {
  std::vector<ImpactDot> dots;
  int unmeasured = 0;      ///< number of call sites without a dot: their loss change is unknown or 0
  bool is_of_gpu = false;  ///< times are GPU times
};

/// Reads the call sites and marks that a board shows.
ImpactDots impactDots(const BoardModel& board);

}  // namespace ampprof::gui

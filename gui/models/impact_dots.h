// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "gui/data/impact_dot.h"

namespace ampprof::gui {

class BoardModel;

/// Dots of a board's call sites.
struct ImpactDots {
  std::vector<ImpactDot> dots;
  /// Number of call sites without a dot: their loss change or time is unknown or 0, which a logarithmic axis cannot
  /// show.
  int unmeasured = 0;
  bool is_of_gpu = false;  ///< true: times are GPU times; false: CPU times
};

/// Returns dots for the call sites that a board shows, with their marks.
ImpactDots impactDots(const BoardModel& board);

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "gui/data/impact_dot.h"

namespace ampprof::gui {

class BoardModel;

/// The dots of a board, and how many of its call sites have none.
struct ImpactDots {
  std::vector<ImpactDot> dots;
  int unmeasured = 0;      ///< call sites without a change of the loss, or with one of 0
  bool is_of_gpu = false;  ///< times are of a GPU
};

/// Reads the call sites that a board shows, with their marks.
ImpactDots impactDots(const BoardModel& board);

}  // namespace ampprof::gui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "gui/data/first_difference.h"
#include "views/table/view.h"

namespace ampprof::gui {

class ReportFile;

/// Two sides, as `ampprof diff` prints them.
struct ComparedRuns {
  views::View figures;                        ///< of whole runs
  views::View sites;                          ///< call sites, the largest change first
  std::optional<FirstDifference> first = {};  ///< where both left sketches
};

/// Compares the runs that a level (or id) names in one report with those in another, or in the same.
ComparedRuns compared(const ReportFile& a, const std::string& runs_of_a, const ReportFile& b,
                      const std::string& runs_of_b);

}  // namespace ampprof::gui

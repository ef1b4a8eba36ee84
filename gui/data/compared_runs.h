// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gui/data/first_difference.h"
#include "views/table/sentence.h"
#include "views/table/view.h"

namespace ampprof::gui {

class ReportFile;

/// Comparison of two runs or levels, as `ampprof diff` prints it.
struct ComparedRuns {
  views::View figures;                        ///< rows for whole runs
  views::View sites;                          ///< rows for call sites, the largest change first
  std::vector<views::Sentence> said;          ///< what verdicts rest on, and what the signs in the tables mean
  std::optional<FirstDifference> first = {};  ///< empty unless both runs recorded sketches
};

/// Compares two sides, in one or two reports. A side is the runs of a level, or the run with an id.
ComparedRuns compared(const ReportFile& a, const std::string& runs_of_a, const ReportFile& b,
                      const std::string& runs_of_b);

}  // namespace ampprof::gui

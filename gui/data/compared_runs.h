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
  views::View figures;                        ///< metrics of whole runs
  views::View sites;                          ///< metrics of call sites, the largest change first
  std::vector<views::Sentence> said;          ///< evidence of the verdicts, and meaning of the signs in the tables
  std::optional<FirstDifference> first = {};  ///< empty unless both runs recorded sketches
};

/// Compares two sides, of one report or of two. A side is named by a level, which means all its runs, or by the id of
/// one run.
ComparedRuns compared(const ReportFile& a, const std::string& runs_of_a, const ReportFile& b,
                      const std::string& runs_of_b);

}  // namespace ampprof::gui

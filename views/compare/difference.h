// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/comparison.h"
#include "analysis/diagnosis/judged_gates.h"
#include "views/diagnosis/gates.h"
#include "views/table/format.h"

namespace ampprof::views {

/// Figures of whole runs, one per row.
View run_difference_view(const analysis::SideBySide& compared);
/// Says which call sites of a comparison a table has.
enum class Sites {
  All,
  Unequal,  ///< without those that have the same values on both sides: they say nothing to people
};

/// Returns call sites of both sides, the largest change first.
View site_difference_view(const analysis::SideBySide& compared, Sites sites = Sites::All);

/// A comparison and the call sites selected from it.
struct DifferencePage {
  analysis::SideBySide compared;
  View sites;
  std::size_t left_out = 0;  ///< rows of `sites` that a limit left out
  std::size_t equal = 0;     ///< call sites that `sites` lacks because both sides have the same values
};

/// Everything that `ampprof diff` prints. CSV holds only the call sites.
std::string formatted(const std::vector<DifferencePage>& pages, const std::vector<analysis::JudgedGate>& gates,
                      Format format, const text::Terminal& terminal);

/// Returns "O0 (3 runs)"; with the report's name if the sides come from two reports.
std::string title_of(const analysis::SideOf& side, bool with_report);

}  // namespace ampprof::views

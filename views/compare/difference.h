// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/comparison.h"
#include "analysis/diagnosis/judged_gates.h"
#include "views/diagnosis/gates.h"
#include "views/table/format.h"

namespace ampprof::views {

/// Returns the figures of whole runs, one per row.
View run_difference_view(const analysis::SideBySide& compared);
/// Returns sentences on what the verdicts of a comparison rest on, and how to get firmer ones.
std::vector<Sentence> evidence_of(const analysis::SideBySide& compared);

/// Selects the call sites of a comparison that a view shows.
enum class Sites {
  All,
  Unequal,  ///< without call sites that have the same values on both sides, which people need not see
};

/// Returns call sites of both sides, the largest change first.
View site_difference_view(const analysis::SideBySide& compared, Sites sites = Sites::All);

/// A comparison and the call sites selected from it.
struct DifferencePage {
  analysis::SideBySide compared;
  View sites;
  std::size_t left_out = 0;  ///< number of rows of `sites` that a limit left out
  std::size_t equal = 0;     ///< number of call sites left out of `sites` because both sides have the same values
};

/// Returns the output of `ampprof diff`. CSV holds only the call sites.
std::string formatted(const std::vector<DifferencePage>& pages, const std::vector<analysis::JudgedGate>& gates,
                      Format format, const text::Terminal& terminal);

/// Returns "O0 (3 runs)"; with the report's name if the sides come from two reports.
std::string title_of(const analysis::SideOf& side, bool with_report);

}  // namespace ampprof::views

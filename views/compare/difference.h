// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/comparison.h"
#include "analysis/diagnosis/judged_gates.h"
#include "views/diagnosis/gates.h"
#include "views/table/format.h"

namespace ampprof::views {

/// Returns a view that compares whole runs, one metric per row.
View run_difference_view(const analysis::SideBySide& compared);
/// Returns sentences on the evidence behind the verdicts of a comparison, and on how to record more evidence.
std::vector<Sentence> evidence_of(const analysis::SideBySide& compared);

/// Selects the call sites of a comparison that a view shows.
enum class Sites {
  All,
  Unequal,  ///< only call sites whose names or values differ between the sides, or that one side lacks
};

/// Returns call sites of both sides, the largest change first.
View site_difference_view(const analysis::SideBySide& compared, Sites sites = Sites::All);

/// A comparison and the call sites selected from it.
struct DifferencePage {
  analysis::SideBySide compared;
  View sites;
  std::size_t left_out = 0;  ///< number of rows that --limit cut from `sites`
  std::size_t equal = 0;     ///< number of call sites that `sites` omits because both sides are equal
};

/// Returns the output of `ampprof diff`. CSV holds only the call sites.
std::string formatted(const std::vector<DifferencePage>& pages, const std::vector<analysis::JudgedGate>& gates,
                      Format format, const text::Terminal& terminal);

/// Returns "O0 (3 runs)". `with_report` adds the report's name, for sides from two reports.
std::string title_of(const analysis::SideOf& side, bool with_report);

}  // namespace ampprof::views

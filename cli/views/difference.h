// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/views/format.h"
#include "cli/views/gates.h"
#include "reports/compare/compare_runs.h"

namespace ampprof::cli {

/// One side of a comparison, as it is called.
struct SideOf {
  std::string report;  ///< file
  compare::Repeats repeats;
  Targets targets;
};

/// Two sides and what they differ in.
struct SideBySide {
  const SideOf& a;
  const SideOf& b;
  const compare::Difference& difference;
  double alpha;  ///< of the rank tests
};

/// Figures of whole runs, one a row.
View run_difference_view(const SideBySide& compared);
/// Call sites of both sides, the largest change first.
View site_difference_view(const SideBySide& compared);

/// A comparison with the call sites that were selected of it.
struct DifferencePage {
  SideBySide compared;
  View sites;
  std::size_t left_out = 0;  ///< rows of `sites` that a limit left out
};

/// Everything that `ampprof diff` prints. CSV holds the call sites only.
std::string formatted(const std::vector<DifferencePage>& pages, const std::vector<JudgedGate>& gates, Format format,
                      const Terminal& terminal);

/// "O0 (3 runs)"; with the report's name where the two sides are of two.
std::string title_of(const SideOf& side, bool with_report);

}  // namespace ampprof::cli

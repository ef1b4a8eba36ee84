// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
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

/// What was recorded of a run, for a comparison.
struct RunRecords {
  std::vector<OpRow> ops;
  std::vector<EventRow> events;
};

/// Some of the runs of a report as one side. `target_gpu` judges Tensor Core rules; "" for the runs' own.
SideOf side_of(const std::string& report, const std::vector<RunRow>& all, const std::vector<RunRow>& chosen,
               const std::string& target_gpu, const std::function<const RunRecords&(std::int64_t run)>& records_of);

/// Two sides and what they differ in.
struct SideBySide {
  const SideOf& a;
  const SideOf& b;
  const compare::Difference& difference;
  double alpha;  ///< of the rank tests
};

/// A comparison that owns what it is about. Others point to its parts, so it stays where it is.
class Compilation {
 public:
  Compilation(SideOf a, SideOf b, compare::Options options);
  Compilation(const Compilation&) = delete;

  SideBySide side_by_side() const { return {a_, b_, difference_, alpha_}; }

 private:
  SideOf a_;
  SideOf b_;
  double alpha_;
  compare::Difference difference_;
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/compare/comparison.h"
#include "reports/compare/first_difference.h"
#include "views/compare/difference.h"
#include "views/diagnosis/answer.h"

namespace ampprof::gui {

/// The runs of one level, read for a comparison.
struct ComparedSide {
  analysis::SideOf records;
  std::vector<compare::Sketches> sketches;  ///< of each run
};

/// Where two sides first differ, as `ampprof diff --first` says.
struct FirstDifference {
  std::vector<views::Sentence> sentences;
  std::string call_site;       ///< the first that differs; "" where none does
  std::vector<double> growth;  ///< relative distance of each call that differs, from there on
};

/// Two sides, as `ampprof diff` prints them.
struct ComparedRuns {
  views::View figures;                        ///< of whole runs
  views::View sites;                          ///< call sites, the largest change first
  std::optional<FirstDifference> first = {};  ///< where both left sketches
};

ComparedRuns compared(ComparedSide a, ComparedSide b);

/// Returns where two sides first differ; nothing where no call left a sketch on both.
std::optional<FirstDifference> firstDifference(const std::vector<compare::Sketches>& a,
                                               const std::vector<compare::Sketches>& b);

}  // namespace ampprof::gui
